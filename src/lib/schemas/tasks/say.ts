import { z } from 'zod';
import { defineTask, TaskRefused } from './task-kind.ts';

const MESSAGE_MAX = 120;
/** A selector is replaced by names, § starts a format, and a direction mark reverses the text around it. */
const NOT_PLAIN = /[@§\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Quotes and backticks could end a shell argument: refusing them means not relying on escaping alone. */
const Announcement = z
	.string()
	.trim()
	.min(1, 'Type a message')
	.max(MESSAGE_MAX, `At most ${MESSAGE_MAX} characters`)
	// eslint-disable-next-line no-control-regex
	.regex(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/, 'One line without control characters')
	.regex(/^[^'"`]*$/, 'Without quotes and backticks')
	.regex(/^[^\p{Cs}]*$/u, 'Without broken characters')
	.refine((text) => !NOT_PLAIN.test(text), 'Without @, § and marks for the direction of writing');

const oneLine = (text: string) =>
	text
		.replace(/[\r\n\p{Cc}]+/gu, ' ')
		.trim()
		.slice(0, MESSAGE_MAX);

export const say = defineTask({
	type: 'say',
	label: 'Announce',
	icon: 'announce',
	options: { message: Announcement },
	stored: z.object({ message: z.string().default('').transform(oneLine) }),
	fields: {
		message: {
			input: 'text',
			label: 'Message to the players',
			hint: 'One line, without quotes, backticks, @ and §.',
			maxLength: MESSAGE_MAX
		}
	},
	does: ({ message }) => `announce “${message}”`,
	async run({ message }, { command }) {
		if (!message) throw new TaskRefused('There is nothing to say.');
		if (NOT_PLAIN.test(message))
			throw new TaskRefused(
				'The message contains @, § or a mark for the direction of writing, so it was not sent. Remove the task and add it again without them.'
			);
		await command(`say ${message}`);
		return `Announced: ${message}`;
	}
});

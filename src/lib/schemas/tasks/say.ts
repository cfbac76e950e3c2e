import { z } from 'zod';
import { defineTask, TaskRefused } from './task-kind.ts';

const MESSAGE_MAX = 120;
/** Quotes and backticks could end an argument of a shell: nobody has to trust our escaping alone. */
const Announcement = z
	.string()
	.trim()
	.min(1, 'Type a message')
	.max(MESSAGE_MAX, `At most ${MESSAGE_MAX} characters`)
	// eslint-disable-next-line no-control-regex
	.regex(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/, 'One line without control characters')
	.regex(/^[^'"`]*$/, 'Without quotes and backticks')
	.regex(/^[^\p{Cs}]*$/u, 'Without broken characters');

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
			hint: 'One line, without quotes and backticks.',
			maxLength: MESSAGE_MAX
		}
	},
	facts: ({ message }) => `“${message}”`,
	async run({ message }, { command }) {
		if (!message) throw new TaskRefused('There is nothing to say.');
		await command(`say ${message}`);
		return `Announced: ${message}`;
	}
});

import { z } from 'zod';
import { defineTask } from '#schemas/tasks/task-kind';

/** All that another type of task needs beside its line in the registry and its test. */
export const warn = defineTask({
	type: 'warn',
	label: 'Warn of a restart',
	icon: 'power',
	options: {
		reason: z.string().min(1).max(40),
		minutes: z.coerce.number().int().min(1).max(30),
		whenEmpty: z.enum(['only', 'wait']).optional()
	},
	fields: {
		reason: { input: 'text', label: 'Why', maxLength: 40 },
		minutes: { input: 'number', label: 'Warn for', min: 1, max: 30, unit: 'minutes', value: 5 },
		whenEmpty: {
			input: 'select',
			label: 'When somebody plays',
			choices: [
				{ value: '', label: 'Restart all the same' },
				{ value: 'only', label: 'Skip it' }
			]
		}
	},
	facts: ({ reason, minutes }) => `${reason}, ${minutes} minutes before`,
	async run({ reason, minutes, whenEmpty }, { command }) {
		await command(`say ${reason}: restart in ${minutes} min (${whenEmpty ?? 'always'})`);
		return 'Warned.';
	}
});

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
		loudly: z.enum(['only', 'wait']).optional()
	},
	fields: {
		reason: { input: 'text', label: 'Why', maxLength: 40 },
		minutes: { input: 'number', label: 'Warn for', min: 1, max: 30, unit: 'minutes', value: 5 },
		loudly: {
			input: 'select',
			label: 'When somebody plays',
			choices: [
				{ value: '', label: 'Restart anyway' },
				{ value: 'only', label: 'Skip it' }
			]
		}
	},
	does: ({ reason, minutes }) => `warn of ${reason}, ${minutes} minutes before`,
	async run({ reason, minutes, loudly }, { command }) {
		await command(`say ${reason}: restart in ${minutes} min (${loudly ?? 'always'})`);
		return 'Warned.';
	}
});

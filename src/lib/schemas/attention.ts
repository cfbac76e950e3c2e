import { z } from 'zod';

/** Something on the overview that wants a person. */
export const Attention = z.object({
	code: z.enum([
		'crashed',
		'unknown',
		'saving-off',
		'backup-damaged',
		'no-command',
		'rcon-off',
		'rcon-queued',
		'folder',
		'root'
	]),
	title: z.string(),
	detail: z.string(),
	advice: z.string().nullable(),
	/** Words of the log, or lines to put into a file. */
	lines: z.array(z.string()),
	action: z.enum(['enableRcon']).nullable()
});
export type Attention = z.infer<typeof Attention>;

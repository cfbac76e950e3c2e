import { z } from 'zod';

/** Something on the overview that needs attention. */
export const Attention = z.object({
	code: z.enum([
		...(['crashed', 'unknown', 'not-written', 'saving-off', 'backup-damaged'] as const),
		...(['world'] as const),
		...(['setup', 'folder', 'root'] as const)
	]),
	title: z.string(),
	detail: z.string(),
	advice: z.string().nullable(),
	/** Text from the log. */
	lines: z.array(z.string())
});
export type Attention = z.infer<typeof Attention>;

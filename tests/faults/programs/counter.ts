import { z } from 'zod';
import { createStateFile } from '#storage/state-file';

const schema = z.strictObject({ count: z.int() });

export const openCounter = (file: string, warn: (message: string) => void) =>
	createStateFile<z.infer<typeof schema>>({
		...{ file, schema, version: 1, defaults: { count: 0 }, warn }
	});

import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The program of a worker thread: the source beside `here` (an `import.meta.url`), which Node runs itself, or what
 * `scripts/build-threads.ts` has made of it where a build has no sources. A name is that of one thread only.
 */
export function threadFile(name: string, here: string): string {
	const source = fileURLToPath(new URL(`${name}.ts`, here));
	return existsSync(source) ? source : path.resolve('build/threads', `${name}.js`);
}

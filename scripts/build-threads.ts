/**
 * Makes one JavaScript file of each worker thread's program. Run from its sources, a thread loads what strips their types,
 * which takes four times as long and twice the memory; within the server's bundle, it would load the whole server.
 */
import path from 'node:path';
import { build } from 'vite';

const MINECRAFT = 'src/lib/server/minecraft';
const PROGRAMS = [`${MINECRAFT}/mods/scan-worker.ts`, `${MINECRAFT}/stats/stats-worker.ts`];

for (const program of PROGRAMS)
	await build({
		configFile: false,
		logLevel: 'warn',
		publicDir: false,
		ssr: { noExternal: true },
		build: {
			ssr: program,
			outDir: 'build/threads',
			emptyOutDir: false, // the build before this one has emptied its parent
			target: 'node24',
			rolldownOptions: { output: { entryFileNames: `${path.parse(program).name}.js` } }
		}
	});

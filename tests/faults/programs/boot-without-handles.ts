// Attempts a boot when this process cannot open any more files, and prints how that went.
import { closeSync, openSync } from 'node:fs';
import { systemClock } from '#core/clock';
import { bootOnce } from '../../../src/lib/server/trial/boot.ts';

const open: number[] = [];
try {
	for (;;) open.push(openSync('/dev/null', 'r'));
} catch {
	// Enough to get as far as the pipes, not for all of them.
	for (const handle of open.splice(-3)) closeSync(handle);
}
const result = await bootOnce({
	...{ argv: ['sleep', '60'], cwd: '/', environment: {}, dir: '/nowhere', clock: systemClock },
	...{ isReady: () => false, trouble: async () => null, tell() {}, limitMs: 1000, holdMs: 0 },
	signal: new AbortController().signal
});
for (const handle of open) closeSync(handle);
console.log(JSON.stringify(result));

import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** What hand-written duplicates of the primitives in `core` look like. */
const SHAPES: Record<string, RegExp[]> = {
	'a queue of its own (core/serial.ts)': [
		/\b(let|const) \w+(: Promise<.*>)? = Promise\.resolve\(\);/,
		/\bnew Promise(<\w+>)?\(\(?(\w+)\)? => \w+\.push\(\2\)\)/
	],
	'a deadline of its own (core/deadline.ts)': [
		/Promise\.race\([^;]*\b(sleep|delay|setTimeout|wait)\(/,
		/\.sleep\([^;]*\)\.then\([^;]*;[^}]*\bPromise\.race\(/
	],
	'a cache of its own (core/ttl-cache.ts)': [
		/monotonicMs\(\) <=? [\w.!?]+\.(until|expires)(Ms|At)\b/,
		/monotonicMs\(\) - [\w.!?]+\.(at|since|asked|read)(Ms|At) <=? /
	]
};

const secondOnes = (text: string) =>
	Object.entries(SHAPES).flatMap(([what, shapes]) =>
		shapes.some((shape) => shape.test(text)) ? [what] : []
	);

test('queue, deadline and cache exist once', async () => {
	const found: string[] = [];
	for await (const file of glob('{src,scripts}/**/*.{ts,js,svelte}', { cwd: ROOT })) {
		if (file.startsWith('src/lib/server/core/') || /\.test\.ts$|node_modules/.test(file)) continue;
		const text = await readFile(path.join(ROOT, file), 'utf8');
		found.push(...secondOnes(text).map((what) => `${file} has ${what}`));
	}
	expect(found).toEqual([]);
});

test.each([
	['queue', 'let queue: Promise<unknown> = Promise.resolve();\nqueue = queue.then(work);'],
	['queue', 'if (busy >= max) await new Promise<void>((go) => waiting.push(go));'],
	[
		'deadline',
		'await Promise.race([\n\tended,\n\tclock.sleep(ms, limit.signal).catch(() => {})\n]);'
	],
	[
		'deadline',
		'const late = clock.sleep(ms, signal).then(() => false);\ntry {\n\treturn await Promise.race([ended, late]);'
	],
	['cache', 'if (cached && clock.monotonicMs() < cached.untilMs) return cached.players;'],
	['cache', 'if (had && deps.clock.monotonicMs() - had.atMs < FRESH_MS) return had.icon;']
])('a planted %s is found', (what, text) => {
	expect(secondOnes(text)).toEqual([expect.stringContaining(`a ${what} of its own`)]);
});

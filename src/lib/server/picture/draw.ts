import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '#core/exec';
import { HEIGHT, WIDTH, type CardFacts } from './card.ts';

/** It takes a quarter of a second; on a machine that starts a modded game at the same time, much longer. */
const LIMIT_MS = 20_000;
const PICTURE_MAX_BYTES = 4 << 20;
/** Room for everything that one picture needs, so that nothing is garbage-collected: the process ends soon. */
const HEAP = ['--min-semi-space-size=32', '--max-semi-space-size=64'];
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

export type Painter = {
	/** The picture as PNG, drawn by a process that has ended when this resolves. Rejects when it could not be drawn. */
	draw(facts: CardFacts | null, signal?: AbortSignal): Promise<Buffer<ArrayBuffer>>;
	/** The picture without a state, drawn beforehand. */
	fallback(): Promise<Buffer<ArrayBuffer>>;
};

type Options = {
	/** Where Node caches the compiled library, which saves a third of the time; the build fills it. */
	cacheDir?: string;
	/** For tests. */
	execArgv?: string[];
	limitMs?: number;
};

export function createPainter(options: Options = {}): Painter {
	const { cacheDir, execArgv = [], limitMs = LIMIT_MS } = options;
	return {
		async draw(facts, signal) {
			const args = [...HEAP, ...execArgv, fileHere('program.ts'), JSON.stringify(facts)];
			const { stdout } = await run(process.execPath, args, {
				env: cacheDir ? { NODE_COMPILE_CACHE: cacheDir } : {},
				encoding: 'latin1',
				maxOutput: PICTURE_MAX_BYTES,
				timeoutMs: limitMs,
				...(signal && { signal })
			});
			const picture = Buffer.from(stdout, 'latin1');
			if (!isPicture(picture)) throw new Error('The result is not a picture of the right size');
			return picture;
		},
		fallback: () => readFile(fileHere('fallback.png'))
	};
}

const isPicture = (bytes: Buffer) =>
	bytes.length > 24 &&
	bytes.subarray(0, PNG.length).equals(PNG) &&
	bytes.readUInt32BE(16) === WIDTH &&
	bytes.readUInt32BE(20) === HEIGHT;

/** Node runs the source itself, also beside the build, which starts in the folder above `src`. */
function fileHere(name: string) {
	const beside = fileURLToPath(new URL(name, import.meta.url));
	return existsSync(beside) ? beside : path.resolve('src/lib/server/picture', name);
}

import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import http, { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '#core/clock';
import { createLock } from '#core/lock';
import { createSerial } from '#core/serial';
import type { Operation } from '#schemas/operation';
import { createOperations } from '#operations';
import { createModrinth } from '#registry';
import { createJournal } from '#storage/journal';
import { zip } from '../../tests/fakes/mods/jars.ts';
import { flushDisk } from '#storage/archive';
import { openSoftware } from '../../tests/fakes/software-desk.ts';
import { sources } from '../../tests/faults/programs/import-desk.ts';
import { startRegistry, type FakeRegistry } from '../demo-registry/registry.ts';
import { row, shownPairs, timesIn, type Pair, type Row } from './measure.ts';

const FILES = 150;
const FILE_BYTES = 1_000_000;
const RUNS = 5;
const AT_ONCE = 8;
/** At least 0.8 of the speed of plain downloads. */
const AT_MOST = 1.25;

const ADA = { name: 'ada', role: 'superadmin', address: null } as const;

/** How long the files of a pack take beside plain parallel downloads of them with their checksums, both on the disk. */
export async function benchImports(): Promise<Row[]> {
	const dir = await mkdtemp(path.join(tmpdir(), 'craftwarden-bench-'));
	const web = await startRegistry({ keepRequests: false });
	const files = Array.from({ length: FILES }, (_, i) => host(web, `mod-${i}`));
	const pairs: Pair[] = [];
	try {
		for (let i = 0; i < RUNS; i++)
			pairs.push([
				await plainly(files, path.join(dir, `plain-${i}`)),
				await imported(web, files, path.join(dir, `ours-${i}`))
			]);
		return [
			row(
				'files of a pack (150 of 1 MB), times plain downloads, both on the disk',
				timesIn(pairs),
				'×',
				AT_MOST,
				`${shownPairs(pairs)} ms`
			)
		];
	} finally {
		await web.close();
		await rm(dir, { recursive: true, force: true });
	}
}

type Hosted = { path: string; url: string; sha512: string };

function host(web: FakeRegistry, slug: string): Hosted {
	web.addProject({ slug });
	const files = [{ name: `${slug}.jar`, bytes: randomBytes(FILE_BYTES) }];
	const [file] = web.addVersion(slug, { number: '1', files }).files;
	return { path: `mods/${slug}.jar`, url: file!.url, sha512: file!.sha512 };
}

async function plainly(files: Hosted[], dir: string): Promise<number> {
	await mkdir(dir, { recursive: true });
	const agent = new Agent({ keepAlive: true });
	const queue = createSerial({ atOnce: AT_ONCE });
	const from = performance.now();
	await Promise.all(
		files.map((file, i) =>
			queue.run(async () => {
				const [answer] = (await once(http.get(file.url, { agent }), 'response')) as [
					http.IncomingMessage
				];
				const hash = createHash('sha512');
				const to = createWriteStream(path.join(dir, String(i)));
				for await (const chunk of answer as AsyncIterable<Buffer>) {
					hash.update(chunk);
					if (!to.write(chunk)) await once(to, 'drain');
				}
				to.end();
				await once(to, 'close');
				if (hash.digest('hex') !== file.sha512) throw new Error('Another file came');
			})
		)
	);
	await flushDisk(dir);
	const ms = performance.now() - from;
	agent.destroy();
	return ms;
}

async function imported(web: FakeRegistry, files: Hosted[], dir: string): Promise<number> {
	const data = path.join(dir, 'data');
	await mkdir(data, { recursive: true });
	const quiet = { info() {}, warn() {}, error() {} };
	const lock = createLock(path.join(data, 'operation.lock'), systemClock);
	const journal = createJournal({ dir: path.join(data, 'operations'), warn: quiet.warn });
	const operations = createOperations({
		...{ journal, lock, clock: systemClock, log: quiet, publish() {} }
	});
	const registry = createModrinth({
		...{ baseUrl: new URL(web.url), userAgent: 'craftwarden/bench', clock: systemClock, log: quiet }
	});
	const closing = new AbortController();
	const { software } = openSoftware({
		...{ dir, operations, clock: systemClock, sources, registry },
		...{ flush: flushDisk, closing: closing.signal }
	});
	const pack = zip({ 'modrinth.index.json': JSON.stringify(indexOf(files)) });
	const bytes = (async function* () {
		yield pack;
	})();
	const wish = { do: 'import', port: 25_565, memoryMb: 1024, acceptEula: true } as const;
	const { id: plan } = await software.planUpload({ name: 'a.mrpack', bytes }, async () => wish);
	const { id } = await software.apply({ planId: plan }, ADA);
	const { state, cause, steps } = await new Promise<Operation>((resolve) => {
		operations.watch(id, (event) => event.type === 'end' && resolve(event.operation));
	});
	if (state !== 'succeeded') throw new Error(cause?.message);
	closing.abort();
	registry.close();
	await operations.close();
	lock.close();
	const at = (step: string) => Date.parse(steps.find((one) => one.id === step)!.at);
	return at('files') - at('install');
}

const indexOf = (files: Hosted[]) => ({
	...{ formatVersion: 1, game: 'minecraft', versionId: '1', name: 'Bench' },
	dependencies: { minecraft: '1.21.1', 'fabric-loader': '0.18.0' },
	files: files.map(({ path, url, sha512 }) => ({
		...{ path, hashes: { sha512 }, downloads: [url], fileSize: FILE_BYTES }
	}))
});

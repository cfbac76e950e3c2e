import {
	closeSync,
	fstatSync,
	fsyncSync,
	openSync,
	readSync,
	rmSync,
	type BigIntStats
} from 'node:fs';
import { PRIVATE_FILE } from '#core/files';
import { shown } from './bytes.ts';
import type { CreateJob, Created, Measured, MeasureJob, Progress } from './jobs.ts';
import { MANIFEST, manifestLine, sha256, type ManifestHead } from './manifest.ts';
import { CHUNK, openSink, type Sink } from './sink.ts';
import { BLOCK, encodeHeader, END_BYTES, padding, type Entry } from './tar.ts';
import { openSpill, type Spill } from './spill.ts';
import { createReader, same, WHOLE_MAX } from './steady-read.ts';
import { walk, type Found } from './walk.ts';

const WARNINGS_MAX = 200;
const MODE = 0o777;

export async function measure(job: MeasureJob): Promise<Measured> {
	const sum: Measured = { bytes: 0, files: 0, worldBytes: 0 };
	await walk({
		...job,
		warn: () => {},
		visit({ type, stats, world }) {
			if (type !== 'file') return;
			sum.files++;
			sum.bytes += Number(stats.size);
			if (world !== null) sum.worldBytes += Number(stats.size);
		}
	});
	return sum;
}

/** Writes the whole archive, and its manifest last. When it throws, the caller must remove what it leaves behind. */
export async function create(job: CreateJob, progress: Progress): Promise<Created> {
	const out = openSync(job.out, 'wx', PRIVATE_FILE);
	const spill = openSpill(job.spill);
	const sink = openSink(out);
	try {
		const writer = openWriter(sink, spill, progress);
		await walk({ ...job, warn: writer.warn, visit: writer.add });
		const manifestSha256 = await writer.addManifest(job.facts);
		const archiveBytes = await writer.end();
		fsyncSync(out);
		return { archiveBytes, manifestSha256, totals: writer.totals, warnings: writer.warnings };
	} finally {
		await sink.close();
		closeSync(out);
		spill.close();
		rmSync(job.spill, { force: true });
	}
}

function openWriter(sink: Sink, spill: Spill, progress: Progress) {
	const totals = { files: 0, entries: 0, bytes: 0, worldBytes: 0 };
	const warnings: string[] = [];
	let left = 0;
	const warn = (sentence: string) => {
		if (warnings.length < WARNINGS_MAX) warnings.push(sentence);
		else left++;
	};
	const reader = createReader(warn);

	async function head(entry: Entry) {
		await sink.write(encodeHeader(entry));
		totals.entries++;
	}

	async function content(entry: Entry, found: Found, fd: number, before: BigIntStats) {
		const hash = sha256();
		if (entry.size <= WHOLE_MAX) {
			const bytes = await reader.whole(found, fd, before);
			// On a second reading its size may differ.
			const settled = { ...entry, size: bytes.size, mtimeNs: bytes.mtimeNs };
			await head(settled);
			// Piece by piece: the piece before is compressed while this one is hashed.
			for (let from = 0; from < settled.size; from += CHUNK) {
				const part = bytes.content.subarray(from, from + CHUNK);
				hash.update(part);
				await sink.write(part);
			}
			await progress((totals.bytes += settled.size));
			return { settled, sha: hash.digest('hex') };
		}
		await head(entry);
		let read = 0;
		while (read < entry.size) {
			const space = sink.space();
			const count = readSync(fd, space, 0, Math.min(space.length, entry.size - read), read);
			if (count === 0) break;
			hash.update(space.subarray(0, count));
			read += count;
			await sink.filled(count);
			await progress((totals.bytes += count));
		}
		if (read < entry.size)
			warn(`${shown(entry.path)} shrank while it was read; its end is filled up with zeros.`);
		for (; read < entry.size; read += Math.min(ZEROS.length, entry.size - read)) {
			const zeros = ZEROS.subarray(0, entry.size - read);
			hash.update(zeros);
			await sink.write(zeros);
			totals.bytes += zeros.length;
		}
		if (!same(before, fstatSync(fd, { bigint: true })))
			warn(`${shown(entry.path)} changed while it was read.`);
		return { settled: entry, sha: hash.digest('hex') };
	}

	async function addFile(found: Found) {
		const fd = reader.open(found);
		if (fd === null) return;
		try {
			const before = fstatSync(fd, { bigint: true });
			if (!before.isFile()) return warn(`${shown(found.path)} changed into something else.`);
			const { settled, sha } = await content(entryOf(found, before), found, fd, before);
			await sink.write(ZEROS.subarray(0, padding(settled.size)));
			totals.files++;
			if (found.world !== null) totals.worldBytes += settled.size;
			spill.write(manifestLine(settled, sha));
		} finally {
			closeSync(fd);
		}
	}

	return {
		totals,
		get warnings() {
			return left === 0 ? warnings : [...warnings, `And ${left} more of this kind.`];
		},
		warn,
		async add(found: Found) {
			if (found.type === 'file') return addFile(found);
			const entry = entryOf(found, found.stats);
			await head(entry);
			spill.write(manifestLine(entry, null));
		},
		async addManifest(facts: CreateJob['facts']) {
			totals.entries++;
			const lines = spill.end();
			const headLine: ManifestHead = {
				...{ craftwarden: 'backup', version: 1, ...facts },
				...{ totals: { ...totals }, linesSha256: lines.sha256, warnings: this.warnings }
			};
			const first = Buffer.from(`${JSON.stringify(headLine)}\n`);
			const size = first.length + lines.bytes;
			const mtimeNs = BigInt(Date.parse(facts.createdAt)) * 1_000_000n;
			await sink.write(
				encodeHeader({ path: MANIFEST, type: 'file', mode: 0o600, size, mtimeNs, target: '' })
			);
			const hash = sha256().update(first);
			await sink.write(first);
			for (const part of lines.parts()) {
				hash.update(part);
				await sink.write(part);
			}
			await sink.write(ZEROS.subarray(0, padding(size) + END_BYTES));
			return hash.digest('hex');
		},
		end: () => sink.end()
	};
}

const ZEROS = Buffer.alloc(Math.max(CHUNK, 3 * BLOCK));

const entryOf = ({ path, type, target }: Found, stats: BigIntStats): Entry => ({
	...{ path, type, target },
	mode: Number(stats.mode) & MODE,
	size: type === 'file' ? Number(stats.size) : 0,
	mtimeNs: stats.mtimeNs
});

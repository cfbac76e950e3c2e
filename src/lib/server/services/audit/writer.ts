import { rename, stat } from 'node:fs/promises';
import path from 'node:path';
import type { AuditEntry } from '#schemas/audit';
import type { Clock } from '#core/clock';
import { errno } from '#core/errors';
import { appendLine, ensureDir } from '#core/files';
import { type Logger, createOutage, type Outage } from '#core/log';
import { createLock } from '#core/lock';
import { createSerial } from '#core/serial';
import { generations } from './read.ts';

/** A line holds everything but the id, which says where the line is. */
export type Entry = Omit<AuditEntry, 'id'>;

export interface Writer {
	/** On disk when it resolves, or counted as lost. Entries that wait for the disk are written together. */
	append(entry: Entry): Promise<void>;
	/** Resolves when everything appended before is written. */
	idle(): Promise<void>;
	/** Null while entries can be written. */
	readonly outage: Outage['now'];
}

type Deps = { dir: string; clock: Clock; log: Logger; fileMaxBytes: number };

/** About 0.5 MB: a hanging disk must not fill the memory. */
const WAITING_MAX = 1000;

export function createWriter({ dir, clock, log, fileMaxBytes }: Deps): Writer {
	const file = path.join(dir, 'audit.jsonl');
	const writing = createSerial();
	let waiting: Entry[] = [];
	let next: Promise<void> | null = null;
	let dropped = 0;
	const outage = createOutage({
		begins: (facts) => log.error('An action could not be written to the audit log', facts),
		ends: (facts) => log.warn('The audit log is written again', facts)
	});

	async function write(entries: Entry[]) {
		await ensureDir(dir);
		await rotateWhenFull(file, fileMaxBytes, clock).catch((cause) =>
			log.error('The audit log is full and could not be given a new file', { cause })
		);
		const lines = entries.map((entry) => JSON.stringify(entry));
		await appendLine(file, lines.join('\n'), { sync: true });
	}
	async function writeWaiting() {
		const entries = waiting;
		waiting = [];
		next = null;
		if (dropped) log.error('Actions are missing in the audit log', { count: dropped });
		dropped = 0;
		await write(entries).then(outage.worked, (cause) => {
			for (const entry of entries) outage.failed(cause, entry);
		});
	}
	function drop() {
		if (!dropped++)
			log.error(
				'The audit log waits for the disk: further actions are missing in it until that goes on'
			);
	}

	return {
		async append(entry) {
			if (waiting.length >= WAITING_MAX) return drop();
			waiting.push(entry);
			await (next ??= writing.run(writeWaiting));
		},
		idle: () => writing.run(() => {}),
		get outage() {
			return outage.now;
		}
	};
}

/** Under a lock: of two processes that find it full, one renames it. A process that has it open still writes into it. */
async function rotateWhenFull(file: string, maxBytes: number, clock: Clock) {
	if ((await sizeOf(file)) < maxBytes) return;
	const dir = path.dirname(file);
	const lock = createLock(path.join(dir, 'audit.lock'), clock);
	try {
		if (!lock.tryAcquire() || (await sizeOf(file)) < maxBytes) return;
		const numbers = await generations(dir);
		await rename(file, path.join(dir, `audit.${(numbers[0] ?? 0) + 1}.jsonl`));
	} finally {
		lock.close();
	}
}

const sizeOf = (file: string) =>
	stat(file).then(
		({ size }) => size,
		(error) => {
			if (errno(error) === 'ENOENT') return 0;
			throw error;
		}
	);

import { rename, stat } from 'node:fs/promises';
import path from 'node:path';
import type { AuditEntry, AuditQuery } from '#schemas/audit';
import type { Role } from '#schemas/common';
import type { RecordAction } from '#core/actor';
import type { Clock } from '#core/clock';
import { AppError, errno } from '#core/errors';
import { appendLine, ensureDir } from '#core/files';
import type { Mask, Logger } from '#core/log';
import { createLock } from '#core/lock';
import { createSerial } from '#core/serial';
import { generations, readBackwards } from './read.ts';

/** Who did what, when, from where, with what result. Append-only: nobody deletes. */
export interface Audit {
	/** On disk when it resolves. Never rejects: what cannot be written is cried into the log. */
	record: RecordAction;
	/** Newest first; a page goes on `before` the last id of the one before. Addresses only for superadmins. */
	list(query: AuditQuery, viewer: Role): Promise<AuditEntry[]>;
}

type Deps = {
	/** The log is `audit.jsonl` in it. A file that is full becomes `audit.<n>.jsonl`, counting up: it never moves again. */
	dir: string;
	clock: Clock;
	log: Logger;
	/** The last defence: callers pass no secrets. */
	mask: Mask;
	fileMaxBytes?: number;
};

const FILE_MAX_BYTES = 10 * 1024 * 1024;
const TEXT_MAX = 500;

export function createAudit(deps: Deps): Audit {
	const { dir, clock, log, mask, fileMaxBytes = FILE_MAX_BYTES } = deps;
	const file = path.join(dir, 'audit.jsonl');
	const writing = createSerial();

	const short = (text: string | null | undefined) =>
		text === null || text === undefined ? null : mask(text).slice(0, TEXT_MAX);
	const write = async (line: string) => {
		await ensureDir(dir);
		await rotateWhenFull(file, fileMaxBytes, clock).catch((cause) =>
			log.error('The audit log is full and could not be given a new file', { cause })
		);
		await appendLine(file, line, { sync: true });
	};

	return {
		record(by, action, { subject, result = 'done', detail } = {}) {
			const entry = {
				at: clock.now().toISOString(),
				by: short(by.name),
				role: by.role,
				action,
				subject: short(subject),
				address: by.address,
				result,
				detail: short(detail)
			};
			return writing
				.run(() => write(JSON.stringify(entry)))
				.catch((cause) =>
					log.error('An action could not be written to the audit log', { ...entry, cause })
				);
		},
		async list({ limit, before }, viewer) {
			const entries: AuditEntry[] = [];
			for await (const entry of readBackwards(dir, position(before))) {
				entries.push(viewer === 'superadmin' ? entry : forAdmins(entry));
				if (entries.length >= limit) break;
			}
			return entries;
		}
	};
}

/** An id is a place: the file's number and the byte at which the line begins. */
function position(id: string | undefined) {
	if (id === undefined) return null;
	const { file, offset } = /^(?<file>\d{1,9})-(?<offset>\d{1,15})$/.exec(id)?.groups ?? {};
	if (file === undefined || offset === undefined)
		throw new AppError('invalid', 'Unknown entry', {
			issues: [{ path: 'before', message: 'Unknown entry' }]
		});
	return { generation: Number(file), offset: Number(offset) };
}

/** What was typed into the console stays with those who may use it. */
const forAdmins = (entry: AuditEntry): AuditEntry =>
	entry.action.startsWith('console.')
		? { ...entry, address: null, subject: null, detail: null }
		: { ...entry, address: null };

/** Under a lock: of two processes that find it full, one renames. Whoever has it open meanwhile still writes into it. */
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

import type { AuditEntry, AuditQuery } from '#schemas/audit';
import type { Role } from '#schemas/common';
import type { RecordAction } from '#core/actor';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Mask, Logger, Outage } from '#core/log';
import { readBackwards, readBetween } from './read.ts';
import { createRefusals } from './refusals.ts';
import { createWriter, type Entry } from './writer.ts';

/** Who did what, when, from where and with what result. Append-only: nothing is ever deleted. */
export interface Audit {
	/**
	 * On disk when it resolves. Never rejects: failed writes are reported once in the log. Equal refusals of one actor
	 * are written once and counted; the number is an entry of its own when the minute ends.
	 */
	record: RecordAction;
	/** Newest first; the next page is `before` the last id of this one. Addresses only for superadmins. */
	list(query: AuditQuery, viewer: Role): Promise<AuditEntry[]>;
	/** Those of a span of time, newest first, found without reading what is newer. Without addresses. */
	between(from: string, to: string): Promise<AuditEntry[]>;
	/** Writes what has only been counted so far. */
	close(): Promise<void>;
	/** Null while entries can be written. */
	readonly outage: Outage['now'];
}

type Deps = {
	/** The log is `audit.jsonl` in it. A file that is full becomes `audit.<n>.jsonl`, counting up, and never moves again. */
	dir: string;
	clock: Clock;
	log: Logger;
	/** The last line of defence: callers pass no secrets. */
	mask: Mask;
	fileMaxBytes?: number;
	/** Each entry, as it is being written. */
	heard?: (entry: Entry) => void;
};

const FILE_MAX_BYTES = 10 * 1024 * 1024;
const TEXT_MAX = 500;
const SPAN_MAX = 500;

export function createAudit(deps: Deps): Audit {
	const { dir, clock, log, mask, fileMaxBytes = FILE_MAX_BYTES } = deps;
	const writer = createWriter({ dir, clock, log, fileMaxBytes });
	const refusals = createRefusals(writer.append, clock);
	const short = (text: string | null | undefined) =>
		text === null || text === undefined ? null : mask(text).slice(0, TEXT_MAX);

	return {
		record(by, action, { subject, result = 'done', detail } = {}) {
			const entry: Entry = {
				at: clock.now().toISOString(),
				by: short(by.name) ?? '',
				role: by.role,
				action,
				subject: short(subject),
				address: by.address,
				result,
				detail: short(detail)
			};
			deps.heard?.(entry);
			return result === 'refused' ? refusals.add(entry) : writer.append(entry);
		},
		async list({ limit, before }, viewer) {
			const entries: AuditEntry[] = [];
			for await (const entry of readBackwards(dir, position(before))) {
				entries.push(viewer === 'superadmin' ? entry : forAdmins(entry));
				if (entries.length >= limit) break;
			}
			return entries;
		},
		async between(from, to) {
			const entries: AuditEntry[] = [];
			for await (const entry of readBetween(dir, from, to)) {
				entries.push({ ...entry, address: null });
				if (entries.length >= SPAN_MAX) break;
			}
			return entries;
		},
		get outage() {
			return writer.outage;
		},
		close() {
			refusals.close();
			return writer.idle();
		}
	};
}

/** An id is a position: the file's number and the byte at which the line begins. */
function position(id: string | undefined) {
	if (id === undefined) return null;
	const { file, offset } = /^(?<file>\d{1,9})-(?<offset>\d{1,15})$/.exec(id)?.groups ?? {};
	if (file === undefined || offset === undefined)
		throw new AppError('invalid', 'Unknown entry', {
			issues: [{ path: 'before', message: 'Unknown entry' }]
		});
	return { generation: Number(file), offset: Number(offset) };
}

/** What was typed into the console is shown only to those who may use it. */
const forAdmins = (entry: AuditEntry): AuditEntry =>
	entry.action.startsWith('console.')
		? { ...entry, address: null, subject: null, detail: null }
		: { ...entry, address: null };

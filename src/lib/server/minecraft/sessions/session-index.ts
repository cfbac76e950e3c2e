import { LATEST_LOG } from '#schemas/plain/limits';
import type { LogFile } from '#schemas/log';
import type { PlayerSession } from '#schemas/player';
import type { Clock } from '#core/clock';
import { deadline } from '#core/deadline';
import {
	rotatedFirst,
	type LogFiles,
	createTimeBudget,
	type LogSource
} from '#minecraft/log-files';
import { sessionsOf, type Session, type SessionsTold } from './sessions-of-visits.ts';
import { createVisitScan, type Visits, type VisitScan } from './visits.ts';

export type PlayerHistory = {
	/** In the order of the logs, at most the last 100. */
	sessions: PlayerSession[];
	/** When the log was last written, as far as it says so. */
	lastAt: string | null;
	/** False while older logs are still being read. */
	complete: boolean;
};

/**
 * Who played from when to when, according to the server's logs: the current one and the rotated ones, as far back as
 * they are read. Each file is read once (the current one from where reading stopped), in slices, when somebody asks.
 */
export interface SessionIndex {
	/** Waits a moment for what has not been read yet, then returns what is known. Never rejects. */
	of(player: { uuid: string; names: readonly string[] }): Promise<PlayerHistory>;
	/**
	 * When each player was last on the server, ISO 8601 by id, as far as the logs have been read: waits for less than a
	 * page takes. Never rejects.
	 */
	lastSeen(): Promise<ReadonlyMap<string, string>>;
	/** Stops reading. */
	close(): void;
}

type Deps = {
	files: LogFiles;
	clock: Clock;
	log: { warn(message: string, facts?: { cause?: unknown }): void };
	/** How many rotated logs are read, the newest first. */
	filesMax?: number;
	/** Limit on the text of all of them together. */
	textMaxBytes?: number;
	patienceMs?: number;
};

const FILES_MAX = 120;
const TEXT_MAX_BYTES = 256 * 1024 * 1024;
/** The part of the current log that is read, when it is larger. */
const LATEST_MAX_BYTES = 64 * 1024 * 1024;
const PATIENCE_MS = 1_500;
/** Who asks about everybody has something else to show. */
const BRIEF_MS = 150;
const ANSWER_MAX = 100;
const NEWLINE = 0x0a;

type Put = { visits: Visits; bytes: number };
type Current = { identity: string; offset: number; scan: VisitScan; visits: Visits };
type Known = SessionsTold & {
	byId: Map<string, Session[]>;
	byName: Map<string, Session[]>;
	lastSeen: Map<string, string>;
};

export function createSessionIndex(deps: Deps): SessionIndex {
	const { files, clock, log } = deps;
	const { filesMax = FILES_MAX, textMaxBytes = TEXT_MAX_BYTES, patienceMs = PATIENCE_MS } = deps;
	const closing = new AbortController();
	/** By size and time of the last change: the names of rotated logs are reused. */
	let put = new Map<string, Put>();
	/** The results of the files within reach, newest first. */
	let order: Put[] = [];
	let current: Current | null = null;
	let known: Known | null = null;
	let reading: Promise<void> | null = null;

	async function readOn(source: LogSource, scan: VisitScan, from: number): Promise<number> {
		const time = createTimeBudget(clock, Infinity, closing.signal);
		let end = from;
		for await (const { bytes, offset } of source.forwards(from, 'lines')) {
			// The part still being written is read the next time; a rotated file is complete.
			const length = source.packed ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1;
			if (length > 0) scan.take(bytes.subarray(0, length));
			end = offset + length;
			if (time.due) await time.rest();
		}
		return end;
	}

	async function withFile<T>(name: string, work: (source: LogSource) => Promise<T>) {
		const source = await files.open(name);
		try {
			return source && (await work(source));
		} finally {
			await source?.close();
		}
	}

	async function readCurrent(source: LogSource) {
		const { size, date } = await source.state();
		const before = current?.identity === source.identity && current.offset <= size ? current : null;
		if (before?.offset === size) return;
		const mine = before ?? {
			identity: source.identity,
			offset: size > LATEST_MAX_BYTES ? await lineAfter(source, size - LATEST_MAX_BYTES) : 0,
			scan: createVisitScan()
		};
		const end = await readOn(source, mine.scan, mine.offset);
		current = { ...mine, offset: end, visits: mine.scan.visits(date) };
		known = null;
	}

	async function readPut(source: LogSource): Promise<Put> {
		const scan = createVisitScan();
		const bytes = await readOn(source, scan, 0);
		return { visits: scan.visits(source.date), bytes };
	}

	/** A file that cannot be read contributes nothing. */
	const attempt = async <T>(name: string, work: (source: LogSource) => Promise<T>) => {
		try {
			return await withFile(name, work);
		} catch (cause) {
			if (!closing.signal.aborted) log.warn(`Sessions could not be read from ${name}`, { cause });
			return null;
		}
	};

	async function refresh() {
		const listing = await files.list();
		if ((await attempt(LATEST_LOG, (source) => readCurrent(source).then(() => true))) === null) {
			if (current) known = null;
			current = null;
		}
		const seen = new Map<string, Put>();
		const inSight: Put[] = [];
		let bytes = 0;
		for (const file of rotatedFirst(listing.files).slice(0, filesMax)) {
			if (closing.signal.aborted || bytes > textMaxBytes) break;
			const key = keyOf(file);
			const one = put.get(key) ?? (await attempt(file.name, readPut)) ?? NOTHING;
			seen.set(key, one);
			inSight.push(one);
			bytes += one.bytes;
			// Only what follows without a gap, from the newest back, is returned.
			if (order[inSight.length - 1] !== one) {
				order = [...inSight];
				known = null;
			}
		}
		if (order.length !== inSight.length) known = null;
		order = inSight;
		put = seen;
	}

	const tell = (): Known => {
		if (known) return known;
		const logs = [...order.map(({ visits }) => visits).reverse(), current?.visits ?? []];
		const told = sessionsOf(logs);
		return (known = { ...told, ...indexed(told.sessions), lastSeen: lastSeenIn(told) });
	};

	/** Whether all was read by then. */
	function read(ms: number): Promise<boolean> {
		reading ??= refresh()
			.catch((cause) => log.warn('Sessions could not be read from the logs', { cause }))
			.finally(() => void (reading = null));
		const under = reading;
		return deadline(
			{ ms, clock },
			() => under.then(() => true),
			() => false
		);
	}

	return {
		async of({ uuid, names }) {
			const complete = await read(patienceMs);
			// Somebody who asks during a reading does not see what was written since it began: that is only a moment.
			const { byId, byName, lastAt } = tell();
			const mine = new Set(byId.get(uuid));
			for (const name of names)
				for (const session of byName.get(name) ?? []) if (!session.uuid) mine.add(session);
			const sessions = [...mine].filter(timeOf).sort(inOrder).slice(-ANSWER_MAX);
			return { sessions: sessions.map(withoutName), lastAt, complete };
		},
		async lastSeen() {
			await read(Math.min(BRIEF_MS, patienceMs));
			return tell().lastSeen;
		},
		close: () => closing.abort()
	};
}

const NOTHING: Put = { visits: [], bytes: 0 };

const keyOf = ({ name, bytes, modifiedAt }: LogFile) =>
	`${name.slice(0, '2026-01-01'.length)} ${bytes} ${modifiedAt}`;

async function lineAfter(source: LogSource, offset: number) {
	for await (const block of source.forwards(offset, 'lines'))
		return block.offset + block.bytes.indexOf(NEWLINE) + 1;
	return offset;
}

function lastSeenIn({ sessions, lastAt }: SessionsTold) {
	const last = new Map<string, string>();
	for (const { uuid, from, to, end } of sessions) {
		const at = to ?? (end === 'online' ? lastAt : null) ?? from ?? '';
		if (uuid && at > (last.get(uuid) ?? '')) last.set(uuid, at);
	}
	return last;
}

function indexed(sessions: Session[]) {
	const byId = new Map<string, Session[]>();
	const byName = new Map<string, Session[]>();
	const add = (map: Map<string, Session[]>, key: string, session: Session) => {
		const list = map.get(key);
		if (list) list.push(session);
		else map.set(key, [session]);
	};
	for (const session of sessions) {
		if (session.uuid) add(byId, session.uuid, session);
		add(byName, session.name, session);
	}
	return { byId, byName };
}

const timeOf = ({ from, to }: Session) => from ?? to ?? '';
const inOrder = (a: Session, b: Session) =>
	timeOf(a) === timeOf(b) ? 0 : timeOf(a) < timeOf(b) ? -1 : 1;

const withoutName = ({ from, to, end }: Session): PlayerSession => ({ from, to, end });

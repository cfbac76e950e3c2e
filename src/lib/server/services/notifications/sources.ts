import { createHash } from 'node:crypto';
import type { AuditEntry } from '#schemas/audit';
import type { ChatMessage } from '#schemas/chat';
import type { NotificationEvent } from '#schemas/notifications/channel';
import type { Cause, Operation } from '#schemas/operation';
import { isOverdue } from '#schemas/plain/good-backup';
import { listed } from '#schemas/plain/words/listed';
import { withoutIds } from '#schemas/plain/words/without-ids';
import type { ServerState } from '#schemas/status';
import { gigabytes, isAlmostFull } from '#core/files';
import type { AppEvent, Findings } from '#events';
import type { Report } from './noise/index.ts';
import { momentOf } from './text.ts';

/** What is seen of the server's process. */
export type Seen = {
	state: ServerState;
	run: { id: string } | null;
	/** What happens after a crash automatically. */
	restart: string | null;
	readyAt: string | null;
	endedAt: string | null;
	/** The crash before this run, when the engine has restarted it. */
	crashedBefore?: (Why & { at: string }) | null;
} & Why;
export type Why = {
	reason: string | null;
	diagnosis: { message: string; advice: string | null; mods: string[] } | null;
};
export type Measured = {
	sample: { t: number; tps: number | null; ramBytes: number | null } | null;
};
/** Null: unlimited. */
export type Limits = { tpsBelow: number; ramAboveBytes: number | null; minutes: number };

type Facts = Report['facts'];
type Make = (
	event: NotificationEvent,
	at: string,
	id: string,
	facts?: Facts,
	subject?: string
) => Report;

const make: Make = (event, at, id, facts = {}, subject = '') => ({
	...{ event, at, id: `${event} ${id}`, facts, subject, lasts: null }
});
const lasting = (begins: boolean, report: Report): Report => ({
	...report,
	lasts: begins ? 'begins' : 'over'
});

/** What was longer ago when the dashboard started is history. */
export const NEWS_MS = 60 * 60_000;
const NAMED_MAX = 10;

/** The server's states, as reports of what changed between two observations. */
export function createServerSource() {
	let before: Seen | null = null;
	/** The last run that was seen, until its end has been reported. */
	let up: string | null = null;
	/** The last crash that was told, by its time: one before an engine's own restart is seen for as long as it runs. */
	let toldBefore: string | null = null;
	/** While an operation holds the server, it alone decides what the end of the process means. */
	return (seen: Seen, now: Date, busy: boolean): Report[] => {
		const last = before;
		before = seen;
		const at = now.toISOString();
		const reports: Report[] = [];
		const endedAt = seen.state === 'crashed' ? seen.endedAt : seen.crashedBefore?.at;
		const isNew = seen.state === 'crashed' || (last !== null && toldBefore !== endedAt);
		if (!busy && endedAt && isNew && now.getTime() - Date.parse(endedAt) < NEWS_MS) {
			toldBefore = endedAt;
			reports.push(
				make('server.crashed', endedAt, endedAt, {
					...whyOf(crashed(seen)),
					restarts: seen.restart
				})
			);
		}
		const isUp = seen.state === 'running' && seen.run;
		if (isUp && seen.readyAt) {
			reports.push(make('server.back', seen.readyAt, seen.run!.id));
			if (last && last.run?.id !== seen.run!.id)
				reports.push(make('server.started', seen.readyAt, seen.run!.id));
			else if (last?.state === 'starting')
				reports.push(make('server.started', seen.readyAt, seen.run!.id));
		}
		up = seen.run?.id ?? up;
		if (!busy && seen.run === null && seen.state !== 'unknown') {
			// It is often an operation that stops the server: the stop is reported when that is over.
			if (up && seen.state === 'stopped')
				reports.push(make('server.stopped', at, up, { reason: seen.reason }));
			up = null;
		}
		const hangs = !busy && seen.state === 'unknown' && seen.run !== null;
		if (hangs || seen.state !== 'unknown') {
			const report = make('server.hanging', at, seen.run?.id ?? '', { reason: seen.reason });
			// A server that was killed or crashed meanwhile does not answer again. Sent every time: an earlier process may have
			// reported that it hangs.
			const end = seen.state === 'running' ? 'over' : 'gone';
			reports.push({ ...report, lasts: hangs ? 'begins' : end });
		}
		return reports;
	};
}

const crashed = (seen: Seen): Why =>
	seen.state === 'crashed' ? seen : (seen.crashedBefore ?? seen);

const whyOf = ({ diagnosis, reason }: Why): Facts => ({
	reason: diagnosis?.message ?? reason,
	advice: diagnosis?.advice ?? null
});

/** Once for a crash: it is not started again. */
export const gaveUpReports = (
	{ words, endedAt }: Extract<AppEvent, { type: 'gave-up' }>,
	seen: Seen,
	now: Date
): Report[] => [
	make('server.gave-up', now.toISOString(), endedAt, { ...whyOf(seen), detail: words })
];

const CHANGES: Partial<Record<string, string>> = {
	install: 'installing',
	update: 'updating',
	enable: 'enabling',
	disable: 'disabling',
	remove: 'removing',
	restore: 'restoring',
	upgrade: 'upgrading'
};

/**
 * A start that failed, where it left no crash, which is told by itself; also the one that followed a change of mods
 * which is not to blame.
 */
export function startReports({ id, kind, state, kept, ...rest }: Operation, seen: Seen): Report[] {
	const isStart = kind === 'start' || kind === 'restart' || kept !== undefined;
	if (!isStart || (state !== 'failed' && state !== 'interrupted')) return [];
	if (seen.state !== 'stopped' && seen.state !== 'starting') return [];
	const { finishedAt, startedAt, cause } = rest;
	const reason = cause?.message ?? seen.reason;
	return [make('server.crashed', finishedAt ?? startedAt, id, { operation: id, reason })];
}

/** An operation that has ended. */
export function operationReports(operation: Operation, seen: Pick<Seen, 'state'>): Report[] {
	const { id, kind, subject, state, cause, finishedAt, startedAt, steps } = operation;
	const at = finishedAt ?? startedAt;
	const facts = {
		operation: id,
		what: CHANGES[kind] ?? kind,
		subject: subject && withoutIds(subject, momentOf),
		message: cause?.message ?? null,
		mods: cause?.mods.length ? namedIn(cause).slice(0, NAMED_MAX).join(', ') : null,
		// What is in place again, and whether the server runs.
		outcome: steps.find(({ id }) => id === 'rollback')?.detail ?? null,
		server: seen.state
	};
	const one = (event: NotificationEvent) => [
		make(event, at, id, facts, event === 'backup.failed' ? '' : id)
	];
	const failed = state === 'failed' || state === 'interrupted';
	if (kind === 'backup')
		return state === 'succeeded' ? one('backup.done') : failed ? one('backup.failed') : [];
	if (kind === 'culprit') return state === 'succeeded' ? culpritReport(operation) : [];
	if (!CHANGES[kind] || operation.kept) return [];
	if (state === 'rolled-back') return one('mods.rolled-back');
	if (!failed) return [];
	const trial = steps.some((step) => step.id === 'trial' && step.status === 'failed');
	return one(trial ? 'mods.trial-failed' : 'mods.failed');
}

const namedIn = ({ mods, titles = {} }: Cause) => mods.map((id) => titles[id] ?? id);

function culpritReport({ id, finishedAt, startedAt, result }: Operation): Report[] {
	const culprits = result?.culprits ?? [];
	const named = culprits.map(({ title, version }) => [title, version].filter(Boolean).join(' '));
	const facts = {
		operation: id,
		mods: listed(named, NAMED_MAX) || null,
		count: culprits.length,
		rest: result?.rest.length ?? 0
	};
	return [make('mods.culprit-found', finishedAt ?? startedAt, id, facts, id)];
}

export function backupDamaged(
	{ id, problem }: Extract<AppEvent, { type: 'backup-damaged' }>,
	now: Date
) {
	return [
		make('backup.verify-failed', now.toISOString(), id, { backup: id, message: problem }, id)
	];
}

type Operator = NonNullable<Findings['operators']>[number];
type Audited = Pick<AuditEntry, 'action' | 'by' | 'subject' | 'result'>;
/** A command for it may stand anywhere in another one, such as `execute … run op …`. */
const OP_COMMAND = /(?:^\/?|\s|:)op\s+(\S+)/i;
/**
 * Operators added since the last check, but not on the page of the players. Those found by the first check are not new.
 */
export function createOperatorSource() {
	let known: Set<string> | null = null;
	/** The audit log reports these already. */
	const made = new Set<string>();
	/** Who ran a command for it in the console, by the player's name; for a selector, by it. */
	const commanded = new Map<string, string>();
	return {
		heard({ action, by, subject, result }: Audited) {
			if (result !== 'done' || subject === null) return;
			if (action === 'player.op') made.add(subject.toLowerCase());
			const named = action === 'console.command' ? OP_COMMAND.exec(subject)?.[1] : undefined;
			if (named) commanded.set(named.startsWith('@') ? '@' : named.toLowerCase(), by);
		},
		seen(operators: Operator[], now: Date): Report[] {
			const before = known;
			known = new Set(operators.map(({ uuid }) => uuid));
			const fresh = before ? operators.filter(({ uuid }) => !before.has(uuid)) : [];
			const at = now.toISOString();
			const reports = fresh
				.filter(({ name }) => !made.has(name.toLowerCase()))
				.map(({ uuid, name }) => {
					const who = commanded.get(name.toLowerCase()) ?? commanded.get('@');
					const by = who ? `${who}, with a command in the console` : OUTSIDE;
					return make('access.operator-added', at, `${at} ${uuid}`, { player: name, by }, name);
				});
			made.clear();
			commanded.clear();
			return reports;
		}
	};
}
const OUTSIDE = 'somebody in the game or on the machine, not through the dashboard';

/** What the monitor has found. */
export function findingReports({ disks, backups, updates }: Findings, now: Date): Report[] {
	const at = now.toISOString();
	const reports = disks.map((disk) => {
		const { dir, freeBytes, totalBytes } = disk;
		const facts = { dir, free: gigabytes(freeBytes), total: gigabytes(totalBytes) };
		return lasting(isAlmostFull(disk), make('disk.low', at, dir, facts, dir));
	});
	const newest = backups?.newest;
	if (newest) {
		const facts = { newest: newest.at.slice(0, 10) };
		const overdue = isOverdue(newest.at, now);
		reports.push(lasting(overdue, make('backup.overdue', at, newest.id, facts)));
	}
	if (updates?.length) {
		const names = updates.map(({ title, version }) => `${title} ${version}`);
		const rest = names.length > NAMED_MAX ? `, and ${names.length - NAMED_MAX} more` : '';
		const facts = { count: names.length, mods: `${names.slice(0, NAMED_MAX).join(', ')}${rest}` };
		reports.push(make('mods.updates', at, digest(names), facts));
	}
	return reports;
}

const digest = (names: string[]) =>
	createHash('sha256')
		.update([...names].sort().join('\n'))
		.digest('hex')
		.slice(0, 16);

export function auditReports(
	entry: Pick<AuditEntry, 'at' | 'action' | 'by' | 'subject' | 'result' | 'detail'>
): Report[] {
	const { at, action, by, subject, result, detail } = entry;
	if (result !== 'done') return [];
	if (action === 'player.op')
		return [
			make('access.operator-added', at, `${at} ${subject}`, { player: subject, by }, subject ?? '')
		];
	if (action === 'session.start' && detail === NEW_PLACE)
		return [make('access.new-address', at, `${at} ${by}`, { by }, by)];
	return [];
}
/** What the audit log says of a log-in from where the account has not been used before. */
export const NEW_PLACE = 'from a new place';

export const chatReports = (messages: ChatMessage[]): Report[] =>
	messages.flatMap(({ id, at, kind, player }) => {
		if (kind !== 'join' && kind !== 'leave') return [];
		return [make(kind === 'join' ? 'player.joined' : 'player.left', at, id, { player })];
	});

/** It is slow when every measurement was slow for this many minutes. */
export function createPaceSource() {
	let sinceMs: number | null = null;
	let lastMs = 0;
	return ({ sample }: Measured, limits: Limits, now: Date): Report[] => {
		if (sample && sample.t === lastMs) return [];
		lastMs = sample?.t ?? 0;
		const complaints = sample ? complaintsOf(sample, limits) : [];
		const slow = complaints.length > 0;
		sinceMs = slow ? (sinceMs ?? sample!.t) : null;
		const lasted = sinceMs === null ? 0 : now.getTime() - sinceMs;
		const low = sinceMs !== null && lasted >= limits.minutes * 60_000;
		if (slow && !low) return [];
		const at = new Date(sinceMs ?? now.getTime()).toISOString();
		const detail = `it ${complaints.join(', and ')}.`;
		return [lasting(low, make('performance.low', at, at, { detail }))];
	};
}

function complaintsOf(
	{ tps, ramBytes }: NonNullable<Measured['sample']>,
	{ tpsBelow, ramAboveBytes }: Limits
): string[] {
	const complaints: string[] = [];
	if (tps !== null && tps < tpsBelow)
		complaints.push(`ticks ${tps.toFixed(1)} times a second instead of 20`);
	if (ramBytes !== null && ramAboveBytes !== null && ramBytes > ramAboveBytes)
		complaints.push(`takes ${gigabytes(ramBytes)} of memory`);
	return complaints;
}

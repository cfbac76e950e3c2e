import path from 'node:path';
import type { Operation } from '#schemas/operation';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { readTextIfExists, writeAtomic } from '#core/files';
import { createTtlCache } from '#core/ttl-cache';
import type { BackupFolder, Sidecar, Stored } from '#storage/archive';
import type { Restores } from './restore/index.ts';
import { superfluous, type Candidate } from './retention.ts';
import type { Saving } from './saving.ts';
import type { BackupSettings } from './settings.ts';
import type { BackupFact, Verifier } from './verify.ts';

/** What needs attention; `createAttention` shows it. */
export type BackupConcern = {
	code: 'saving-off' | 'backup-folder' | 'backup-damaged';
	title: string;
	detail: string;
	advice: string | null;
	/** ISO 8601; null when it is not known. */
	since: string | null;
};

export type UpkeepDeps = {
	dataDir: string;
	folder: BackupFolder;
	saving: Saving;
	verifier: Verifier;
	restores: Restores;
	running: () => Operation | null;
	/** It is being restored. */
	isInUse: (id: string) => boolean;
	readyAt: () => Promise<string | null>;
	settings: () => Promise<BackupSettings>;
	/** What else of old worlds is removed when its time is up. */
	tidyWorlds: () => Promise<void>;
	publish: (fact: BackupFact) => void;
	log: { error(message: string, facts?: object): void };
	clock: Clock;
	/** A number from 0 up to, but not including, 1, like Math.random. */
	random?: () => number;
};

const TEND_EVERY_MS = 3000;
const DAY_MS = 24 * 3_600_000;
const DAILY_LOOK_MS = 10 * 60_000;
const NAMED_MAX = 5;
/** Each overview asks what is damaged; a verify takes longer than this. */
const DAMAGED_MS = 2000;

/**
 * What runs by itself: turning saving on where it was left off, the daily verify, and removing old backups and worlds
 * kept after a restore.
 */
export function createUpkeep(deps: UpkeepDeps) {
	const { folder, saving, verifier, restores, clock, log } = deps;
	const noteFile = path.join(deps.dataDir, 'backup-verify.json');
	const closing = new AbortController();
	const random = deps.random ?? Math.random;

	async function prune(): Promise<string[]> {
		try {
			const busy = deps.running() !== null;
			const stored = (await folder.list()).filter((one) => !(busy && one.state === 'partial'));
			const ids = superfluous(stored.map(toCandidate), await deps.settings(), clock.now());
			const unused = ids.filter((id) => !deps.isInUse(id));
			for (const id of unused) await folder.remove(id);
			if (unused.length) deps.publish({ type: 'backups-changed' });
			return stored.filter(({ id }) => unused.includes(id)).map(called);
		} catch (cause) {
			log.error('Old backups could not be deleted', { cause });
			return [];
		}
	}

	/**
	 * A process that died while writing left a partial file behind; while no operation is in progress, nothing is being written.
	 */
	async function sweep() {
		if (deps.running()) return;
		for (const { id, state } of await folder.list())
			if (state === 'partial' && !deps.running()) await folder.discard(id);
	}

	async function daily() {
		const { backupVerifyDaily } = await deps.settings();
		if (!backupVerifyDaily || verifier.busy || deps.running()) return;
		const now = clock.now().getTime();
		const lastMs = Date.parse(await lastDaily());
		// A note dated in the future comes from a wrong clock.
		if (lastMs <= now && now - lastMs < DAY_MS) return;
		const good = sealed(await folder.list()).filter(({ problem }) => problem === null);
		const chosen = good[Math.floor(random() * good.length)];
		if (!chosen) return;
		await writeAtomic(
			noteFile,
			`${JSON.stringify({ at: clock.now().toISOString(), id: chosen.id })}\n`
		);
		await verifier.verify(chosen);
	}

	async function lastDaily(): Promise<string> {
		try {
			return (JSON.parse((await readTextIfExists(noteFile)) ?? '{}') as { at?: string }).at ?? '';
		} catch {
			return '';
		}
	}

	async function started() {
		const at = await deps.readyAt();
		if (at && !deps.running()) await restores.started(at);
	}

	function every(ms: number, what: string, work: () => Promise<void>) {
		const loop = async () => {
			for (;;) {
				await work().catch((cause) => log.error(`${what} failed`, { cause }));
				await clock.sleep(ms, closing.signal);
			}
		};
		loop().catch(() => {}); // only the sleep rejects, which ends the loop
	}

	const damaged = createTtlCache(
		async () => sealed(await folder.list()).filter(({ problem }) => problem !== null),
		DAMAGED_MS,
		clock
	);

	return {
		prune,
		async concerns(): Promise<BackupConcern[]> {
			const found: BackupConcern[] = [];
			const { alarm } = saving;
			if (alarm) found.push(savingOff(alarm.since));
			try {
				const bad = await damaged();
				if (bad.length > 0) found.push(damagedOnes(bad));
			} catch (error) {
				if (!(error instanceof AppError)) throw error;
				found.push(unreadable(error));
			}
			return found;
		},
		startWatching() {
			every(TEND_EVERY_MS, 'Looking after the game’s saving', saving.tend);
			every(DAILY_LOOK_MS, 'The daily verify', daily);
			every(DAILY_LOOK_MS, 'Tidying up cut off backups', sweep);
			every(DAILY_LOOK_MS / 20, 'Tidying up after a restore', started);
			every(DAILY_LOOK_MS, 'Tidying up after an upgrade', deps.tidyWorlds);
		},
		close: () => closing.abort()
	};
}

export const sealed = (stored: Stored[]): Sidecar[] =>
	stored.flatMap((one) => (one.state === 'sealed' ? one.sidecar : []));

/** Taken from the id, which says when it began. */
export const createdAt = (id: string) =>
	id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, '$1-$2-$3T$4:$5:$6.000Z');

function toCandidate(stored: Stored): Candidate {
	if (stored.state !== 'sealed') {
		// Without its description it is unknown: it is left for a person to look at.
		const state = stored.state === 'partial' ? 'incomplete' : 'damaged';
		return {
			id: stored.id,
			createdAt: createdAt(stored.id),
			kind: 'manual',
			state,
			pinned: false,
			verifiedAt: null
		};
	}
	const { id, kind, pinned, verifiedAt, problem } = stored.sidecar;
	const state = problem === null ? 'complete' : 'damaged';
	return { id, createdAt: stored.sidecar.createdAt, kind, state, pinned, verifiedAt };
}

/** By its note, where it has one. */
function called(stored: Stored): string {
	const note = stored.state === 'sealed' ? stored.sidecar.note : '';
	return note
		? `“${note}”`
		: `the one of ${createdAt(stored.id).slice(0, 16).replace('T', ' ')} UTC`;
}

const savingOff = (since: string): BackupConcern => ({
	code: 'saving-off',
	since,
	title: 'The game may not be saving',
	detail: `A backup paused its saving at ${since}, and the game has not confirmed that it saves again. It is asked again until it does.`,
	advice: 'Run save-on in the console. A restart turns saving on as well.'
});

const unreadable = (error: AppError): BackupConcern => ({
	code: 'backup-folder',
	since: null,
	title: 'The backups cannot be read',
	detail: error.message,
	advice: null
});

function damagedOnes(damaged: Sidecar[]): BackupConcern {
	const [first] = damaged;
	const ids = damaged.slice(0, NAMED_MAX).map(({ id }) => id);
	return {
		code: 'backup-damaged',
		title: damaged.length === 1 ? 'A backup is damaged' : `${damaged.length} backups are damaged`,
		detail: `${ids.join(', ')}: ${first!.problem}`,
		since: first!.verifiedAt,
		advice: 'Make a new backup now, and look at the disk: archives do not change by themselves.'
	};
}

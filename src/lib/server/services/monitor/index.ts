import type { Backup } from '#schemas/backup';
import type { InstalledMods, ModUpdates } from '#schemas/mod';
import { isGood } from '#schemas/plain/good-backup';
import { isOffered } from '#schemas/plain/offered';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { disksOf } from '#core/files';
import { createSerial } from '#core/serial';
import type { AppEvent, Findings } from '#events';

/** Checks now and then what nothing else reports, and publishes it. */
export interface Monitor {
	start(): void;
	/** Checks now instead of at the next round. */
	look(): Promise<void>;
	close(): void;
}

type Deps = {
	/** Whether anybody wants to know: checking costs memory and registry requests. */
	wanted: () => Promise<boolean>;
	/** Folders whose disk space matters. */
	dirs: string[];
	backups: () => Promise<Backup[]>;
	/** The game's. */
	operators: () => Promise<Findings['operators']>;
	mods: () => Promise<InstalledMods>;
	updates: () => Promise<ModUpdates>;
	/** The mods are being changed, or that counts down. */
	changing: () => boolean;
	publish: (fact: { type: 'findings'; findings: Findings }) => void;
	subscribe: (listener: (fact: AppEvent) => void) => () => void;
	clock: Clock;
	log: { error(message: string, facts?: { cause?: unknown }): void };
};

/** A fresh start serves its first pages first. */
const FIRST_AFTER_MS = 20_000;
const EVERY_MS = 5 * 60_000;
const UPDATES_EVERY_MS = 6 * 3_600_000;

export function createMonitor(deps: Deps): Monitor {
	const { clock, log } = deps;
	const closing = new AbortController();
	const rounds = createSerial();
	let updates: Findings['updates'] = null;
	let askedMs = -Infinity;
	let unsubscribe = () => {};

	/** A part that fails is unknown; the others are not affected. */
	const part = <T>(what: string, ask: () => Promise<T>): Promise<T | null> =>
		ask().catch((cause) => {
			if (!(cause instanceof AppError)) log.error(`The monitor failed: ${what}`, { cause });
			return null;
		});

	async function newestUpdates({ mods }: InstalledMods) {
		// What is on offer may be what is on its way.
		if (deps.changing()) return null;
		if (clock.monotonicMs() - askedMs < UPDATES_EVERY_MS) return updates;
		askedMs = clock.monotonicMs();
		const titles = new Map(
			mods.map(({ fileName, project, name }) => [fileName, project?.title ?? name])
		);
		const found = (await deps.updates()).mods.filter(isOffered);
		// Or has arrived while the registry was asked.
		if (deps.changing() || askedMs === -Infinity) {
			askedMs = -Infinity;
			return null;
		}
		updates = found.map(({ fileName, latest }) => ({
			title: titles.get(fileName) ?? fileName,
			version: latest?.version ?? ''
		}));
		return updates;
	}

	async function round() {
		if (closing.signal.aborted || !(await deps.wanted())) return;
		const backups = await part('backups', deps.backups);
		const installed = await part('mods', deps.mods);
		const findings: Findings = {
			disks: await disksOf(deps.dirs),
			backups: backups && { newest: newestOf(backups) },
			operators: await part('operators', deps.operators),
			mods: installed && countOf(installed),
			updates: installed && (await part('updates', () => newestUpdates(installed)))
		};
		if (!closing.signal.aborted) deps.publish({ type: 'findings', findings });
	}
	const look = () =>
		rounds.run(round).catch((cause) => log.error('Looking around failed', { cause }));

	/** What has just been made is seen at once; new mods have other updates. */
	function hear(fact: AppEvent) {
		if (fact.type === 'mods-changed') askedMs = -Infinity;
		const over = fact.type === 'operation' && fact.summary.state !== 'running';
		if (over && fact.summary.kind === 'backup' && rounds.size < 2) void look();
	}

	async function run() {
		let waitMs = FIRST_AFTER_MS;
		while (!closing.signal.aborted) {
			await clock.sleep(waitMs, closing.signal).catch(() => {}); // closed
			waitMs = EVERY_MS;
			await look();
		}
	}

	return {
		start() {
			unsubscribe = deps.subscribe(hear);
			void run();
		},
		look,
		close() {
			closing.abort();
			unsubscribe();
		}
	};
}

function newestOf(backups: Backup[]) {
	const newest = backups.find(isGood);
	return newest ? { id: newest.id, at: newest.createdAt, bytes: newest.bytes } : null;
}

function countOf({ mods }: InstalledMods) {
	const enabled = mods.filter((mod) => mod.enabled).length;
	return { enabled, disabled: mods.length - enabled };
}

import { isDeepStrictEqual } from 'node:util';
import { Note } from '#schemas/common';
import {
	BACKUPS_PINNED_MAX,
	type Backup,
	type BackupCreate,
	type BackupPatch,
	type BackupRestore
} from '#schemas/backup';
import type { AuditAction } from '#schemas/audit';
import type { Operation } from '#schemas/operation';
import type { ServerState } from '#schemas/status';
import { noBackupIn } from '#schemas/plain/no-backup';
import type { Actor, RecordAction } from '#core/actor';
import { AppError } from '#core/errors';
import {
	beginAudited,
	resultOf,
	type Operations,
	type StepContext,
	type StepPlan
} from '#operations';
import { restorePlan, toBackup, type Known, type RestorePlan } from './describe.ts';
import { openDownload, type Download } from './download.ts';
import { createGate } from './gate.ts';
import { createMaker, type BackupInput, type MakeDeps } from './make.ts';
import { throttleWith } from './throttle.ts';
import { createRestores, type RestoreDeps, type RestoreInput } from './restore/index.ts';
import { createSaving, type SavingDeps } from './saving.ts';
import type { BackupSettings } from './settings.ts';
import { createdAt, createUpkeep, sealed, type BackupConcern, type UpkeepDeps } from './upkeep.ts';
import { createVerifier, type BackupFact } from './verify.ts';

export { createRestores, type RestoreDeps, type Restores } from './restore/index.ts';

export { isBackupRestore } from './restore/index.ts';
export type { RestoreInput } from './restore/index.ts';
export type { Known, RestorePlan } from './describe.ts';
export type { BackupConcern } from './upkeep.ts';
export type { BackupFact } from './verify.ts';
export { BACKUP_SETTINGS, type BackupSettings } from './settings.ts';

export interface Backups {
	/** Newest first; unfinished backups are listed as such, never as good. */
	list(): Promise<Backup[]>;
	/** Why there is nothing to back up; null when there is a world. */
	noWorld(): Promise<string | null>;
	/** Saving is paused while the files are copied, and always resumed. `AppError('conflict')` names what is in the way. */
	create(input: BackupCreate, by: Actor): Promise<Operation>;
	/** `AppError('not-found')`, or 'conflict' when too many are pinned. */
	change(id: string, patch: BackupPatch, by: Actor): Promise<Backup>;
	/** `AppError('conflict')` for one that is in progress, being restored or pinned. */
	remove(id: string, by: Actor): Promise<void>;
	/** `range` and `ifRange` as in the request's headers. `AppError('throttled')` when too many are in progress. */
	download(
		id: string,
		ask: { range: string | null; ifRange: string | null },
		by: Actor
	): Promise<Download>;
	/** Reads it back in the background; the answer is the backup as it is now. */
	verify(id: string, by: Actor): Promise<Backup>;
	/** What a restore would replace and lose. `AppError` `not-found`, `invalid` (no such world in it). */
	describeRestore(id: string, wish: BackupRestore): Promise<RestorePlan>;
	/** `AppError('conflict')` says why it cannot be done. */
	restore(id: string, wish: BackupRestore, by: Actor): Promise<Operation>;
	/** Where what this restore has replaced still lies, relative to the server's folder; null when it is gone. */
	replaced(operationId: string): Promise<string | null>;
}

/** What other parts of the program need of backups. */
export interface BackupDuties {
	/** For the scheduled task: skipped when nobody has played since the last one and the settings say so. */
	scheduled(by: Actor): Promise<{ operation: Operation } | { skipped: string }>;
	/**
	 * A backup as one step of another operation, e.g. before mods change; returns its id. May be repeated after a
	 * crash.
	 */
	runForOperation(ctx: StepContext, note: string, needs?: { mods: boolean }): Promise<string>;
	/** Of the kind `restore`, for an app that also has other restores: `isBackupRestore(input)` tells them apart. */
	restoreSteps(input: RestoreInput): StepPlan[];
	/** Its rollback, when `mine(ctx)`. */
	restoreRollback: { mine(ctx: StepContext): boolean; run(ctx: StepContext): Promise<void> };
	/** What needs attention: damaged backups, saving that could not be turned on again. */
	concerns(): Promise<BackupConcern[]>;
	/**
	 * Turns saving on again where a dead process left it off (within 3 s), verifies one backup a day, and cleans up.
	 */
	startWatching(): void;
	close(): void;
}

type Deps = Omit<MakeDeps, 'saving' | 'prune' | 'lastRatio' | 'throttle'> &
	Omit<RestoreDeps, 'backUp'> &
	Omit<SavingDeps, 'log'> &
	Pick<UpkeepDeps, 'random' | 'tidyWorlds'> & {
		operations: Pick<Operations, 'define' | 'run' | 'running' | 'list'>;
		settings: () => Promise<BackupSettings>;
		/** When each player was last seen, ISO 8601 by id. */
		lastSeen: () => Promise<Map<string, string>>;
		/** How fast the game ticks, at most 20 times a second; null when unknown. */
		tps: () => Promise<number | null>;
		/** Null when unknown. */
		playersOnline: () => Promise<number | null>;
		/** Everyone the server remembers. */
		known: () => Promise<Known[]>;
		/** The server's name, for the name of a download. */
		serverName: () => Promise<string>;
		/** The value of a Content-Disposition header. */
		disposition: (name: string) => string;
		publish: (fact: BackupFact) => void;
		audit: RecordAction;
		log: RestoreDeps['log'] & SavingDeps['log'];
	};

/** Among so many of the last operations, the one is looked for that a restore undoes. */
const UNDOABLE = 200;
const isReplaced = (steps: Operation['steps']) =>
	steps.some(({ id, status }) => id === 'swap' && status === 'done') &&
	!steps.some(({ id }) => id === 'rollback');

/** What is put back, for people. */
const RESTORED: Record<BackupRestore['scope'], string> = {
	all: 'everything',
	world: 'one world',
	player: 'one player’s data'
};
/** Whoever shows it says the time of the id as their clock has it. */
const restoreOf = (id: string) => `the backup ${id}`;
/** The note of the backup that is made before a restore; a long name leaves no room in it. */
function noteBefore({ id, scope, world }: RestoreInput): string {
	const note = (what: string) => `Before the restore of ${what} from ${inWords(createdAt(id))}`;
	const named = scope === 'world' && world ? Note.safeParse(note(world)).data : undefined;
	return named ?? note(RESTORED[scope]);
}
/** Made when somebody restores: the first format of a process brings 9 MB of time zones into memory. */
const inWords = (time: string) =>
	new Date(time).toLocaleString('en-GB', {
		...({ dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23', timeZone: 'UTC' } as const)
	}) + ' UTC';

export function createBackups(deps: Deps): Backups & BackupDuties {
	const { operations, folder, server, audit } = deps;
	const saving = createSaving(deps);
	const throttle = throttleWith(deps);
	const verifier = createVerifier({ ...deps, throttle });
	const isInUse = (id: string) => operations.running()?.subject === restoreOf(id);
	const restores = createRestores({
		...deps,
		backUp: (ctx, input, { roots }) =>
			runForOperation(ctx, noteBefore(input), {
				// What is replaced must be in it.
				mods: input.scope === 'all' && roots.includes('mods')
			})
	});
	const gate = createGate(deps);
	const upkeep = createUpkeep({
		...deps,
		...{ saving, verifier, restores, running: operations.running, isInUse },
		readyAt: async () => (await server.observe()).readyAt
	});
	const maker = createMaker({ ...deps, saving, throttle, prune: upkeep.prune, lastRatio });
	operations.define<BackupInput>({ kind: 'backup', steps: maker.steps });

	const runForOperation: BackupDuties['runForOperation'] = async (ctx, note, needs) => {
		const { backupMods } = await deps.settings();
		const withMods = backupMods || needs?.mods === true;
		return maker.within(ctx, { kind: 'before-change', note, withMods });
	};

	async function lastRatio() {
		const [last] = sealed(await folder.list());
		return last && last.totals.bytes > 0 ? last.bytes / last.totals.bytes : null;
	}

	async function find(id: string) {
		const stored = (await folder.list()).find((one) => one.id === id);
		if (!stored) throw new AppError('not-found', 'There is no such backup.');
		return stored;
	}
	async function roomForPin(id: string) {
		const others = sealed(await folder.list()).filter((one) => one.pinned && one.id !== id);
		if (others.length >= BACKUPS_PINNED_MAX)
			throw new AppError(
				'conflict',
				`Already ${others.length} backups are pinned, and no more can be. Unpin one that is not needed.`
			);
	}
	async function findSealed(id: string) {
		const stored = await find(id);
		if (stored.state !== 'sealed')
			throw new AppError('conflict', `${stored.problem} It can only be deleted.`);
		return stored.sidecar;
	}
	const show = (stored: Awaited<ReturnType<typeof find>>) =>
		toBackup(stored, {
			running: operations.running() !== null,
			verify: verifier.standing(stored.id)
		});

	/** Refusals and failures are in the audit log too. */
	async function audited<T>(
		by: Actor,
		action: AuditAction,
		subject: string,
		work: () => Promise<T>
	): Promise<T> {
		try {
			const result = await work();
			await audit(by, action, { subject });
			return result;
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			const result = resultOf(error);
			await audit(by, action, { subject, result, detail: error.message });
			throw error;
		}
	}

	const run = (input: BackupInput, by: Actor) =>
		beginAudited(
			{ by, action: 'backups.create', subject: null, detail: input.note || null },
			audit,
			async () => {
				// That of a task begins and fails, so that whoever wants to know of it is told.
				if (input.kind === 'manual') {
					const why = await maker.noWorld();
					if (why) throw new AppError('conflict', why, { code: 'no-world' });
					// What is in progress says more.
					const { state } = await server.observe();
					const { enabled: on } = (await deps.installation()).rcon;
					const notNow = operations.running() ? null : noBackupIn(state, { on });
					if (notNow) throw new AppError('conflict', notNow);
				}
				return operations.run('backup', input, by, input.note ? `“${input.note}”` : null);
			}
		);

	async function playersSince(since: string): Promise<RestorePlan['players']> {
		// The game writes what somebody who is playing did only every few minutes.
		return (await deps.known())
			.filter(({ online, lastSeenAt }) => online || (lastSeenAt ?? '') > since)
			.sort(
				(a, b) =>
					Number(b.online) - Number(a.online) ||
					((a.lastSeenAt ?? '') < (b.lastSeenAt ?? '') ? 1 : -1)
			);
	}

	/** The restore before which the backup was made that this one is to put back. */
	async function undoneBy(id: string, { scope, world, uuid }: BackupRestore) {
		const stored = await find(id);
		if (stored.state !== 'sealed' || stored.sidecar.kind !== 'before-change') return null;
		const wish = { backup: id, scope, ...(world && { world }), ...(uuid && { uuid }) };
		const found = (await operations.list(UNDOABLE)).find(
			({ undo, steps }) => isDeepStrictEqual(undo, wish) && isReplaced(steps)
		);
		return found?.subject ? { operation: found.id, subject: found.subject } : null;
	}

	async function describeRestore(id: string, wish: BackupRestore): Promise<RestorePlan> {
		const sidecar = await findSealed(id);
		const seen = await server.observe();
		return restorePlan({
			...{ sidecar, wish, backup: show({ id, state: 'sealed', sidecar }) },
			refusal: NOT_NOW[seen.state] ?? (await restores.refusal(sidecar)),
			gameVersion: (await deps.installation()).gameVersion,
			running: seen.run !== null,
			players: await playersSince(sidecar.createdAt),
			undoes: await undoneBy(id, wish)
		});
	}

	/** Why no scheduled backup is needed, in a sentence. */
	async function idle(withMods: boolean): Promise<string | null> {
		const now = deps.clock.now().toISOString();
		// A time in the future comes from a wrong clock, and would prevent every backup until then.
		const last = sealed(await folder.list()).find(
			({ problem, createdAt }) => problem === null && createdAt <= now
		);
		if (!last || (withMods && !last.withMods)) return null;
		if ((await deps.playersOnline()) !== 0 && (await server.run()) !== null) return null;
		const played = [...(await deps.lastSeen()).values()].some((at) => at > last.createdAt);
		return played ? null : `Nobody has played since the backup of ${inWords(last.createdAt)}.`;
	}

	return {
		list: async () => (await folder.list()).map(show),
		noWorld: maker.noWorld,
		async create({ note, withMods }, by) {
			const { backupMods } = await deps.settings();
			return run({ kind: 'manual', note, withMods: withMods ?? backupMods }, by);
		},
		change: (id, patch, by) =>
			audited(by, 'backups.change', id, async () => {
				await findSealed(id);
				const { note, pinned } = patch;
				if (pinned) await roomForPin(id);
				const changed = await folder.update(id, (sidecar) => ({
					...sidecar,
					...(note !== undefined && { note }),
					...(pinned !== undefined && { pinned })
				}));
				if (!changed) throw new AppError('not-found', 'There is no such backup.');
				return show({ id, state: 'sealed', sidecar: changed });
			}),
		remove: (id, by) =>
			audited(by, 'backups.remove', id, async () => {
				const stored = await find(id);
				if (stored.state === 'partial' && operations.running())
					throw new AppError('conflict', 'This backup is still being made. Cancel it instead.');
				if (isInUse(id))
					throw new AppError(
						'conflict',
						'This backup is being restored. Wait until that has ended.'
					);
				if (stored.state === 'sealed' && stored.sidecar.pinned)
					throw new AppError('conflict', 'This backup is pinned. Unpin it first.');
				await folder.remove(id);
				deps.publish({ type: 'backups-changed' });
			}),
		async download(id, ask, by) {
			const open = async () => {
				const { id: real } = await findSealed(id);
				const name = `${await deps.serverName()} ${real}.tar.zst`;
				const file = folder.paths(real).archive;
				const { disposition } = deps;
				return openDownload({ ...ask, id: real, name, file }, { gate, disposition });
			};
			// A resumed backup was announced when it began.
			const begins = ask.range === null || /^bytes=0-/.test(ask.range);
			return begins ? audited(by, 'backups.download', id, open) : open();
		},
		verify: (id, by) =>
			audited(by, 'backups.verify', id, async () => {
				const sidecar = await findSealed(id);
				void verifier.verify(sidecar);
				return show({ id, state: 'sealed', sidecar });
			}),
		describeRestore,
		restore: (id, wish, by) =>
			beginAudited(
				{ by, action: 'backups.restore', subject: `${restoreOf(id)}, ${RESTORED[wish.scope]}` },
				audit,
				async () => {
					if (!operations.running()) {
						const { refusal } = await describeRestore(id, wish);
						if (refusal) throw new AppError('conflict', refusal);
					}
					const undoes = await undoneBy(id, wish);
					const input: RestoreInput = {
						...{ ...wish, what: 'backup', id, by: by.name },
						...(undoes && { undoes })
					};
					return operations.run('restore', input, by, restoreOf(id));
				}
			),
		async scheduled(by) {
			const { backupMods: withMods, backupSkipWhenIdle } = await deps.settings();
			const skipped = backupSkipWhenIdle ? await idle(withMods) : null;
			if (skipped) return { skipped };
			return { operation: await run({ kind: 'scheduled', note: '', withMods }, by) };
		},
		runForOperation,
		replaced: restores.replaced,
		restoreSteps: restores.steps,
		restoreRollback: restores.rollback,
		concerns: upkeep.concerns,
		startWatching: upkeep.startWatching,
		close() {
			upkeep.close();
			verifier.close();
		}
	};
}

const NOT_NOW: Partial<Record<ServerState, string>> = {
	starting: 'The server is starting. Wait until it is ready, or stop it.',
	stopping: 'The server is stopping. Wait until it has ended.',
	unknown:
		'The server does not answer, so it cannot be stopped cleanly. Stop it first; if that does not work, kill it.'
};

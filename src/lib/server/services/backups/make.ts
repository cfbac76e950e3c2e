import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Backup } from '#schemas/backup';
import { listed } from '#schemas/plain/words/listed';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Installation } from '#minecraft/folder';
import type {
	Archiver,
	RunningJob,
	BackupFolder,
	Sidecar,
	Created,
	Measured
} from '#storage/archive';
import type { ServerControl, StepContext, StepPlan } from '#operations';
import type { Mode, Saving } from './saving.ts';
import { findSources } from './sources.ts';
import { size } from './size.ts';
import type { BackupFact } from './verify.ts';

/** What a backup operation journals of the request. */
export type BackupInput = { kind: Backup['kind']; note: string; withMods: boolean };

export type MakeDeps = {
	serverDir: string;
	/** The dashboard's own folders, which never enter an archive. */
	never: string[];
	installation: () => Promise<Installation>;
	/** The version that a world was last saved with. */
	worldVersion: (worldDir: string) => Promise<string | null>;
	archiver: Archiver;
	/** Pauses the work while the game lags. */
	throttle: (job: RunningJob) => void;
	folder: BackupFolder;
	saving: Saving;
	server: Pick<ServerControl, 'ensureStopped' | 'observe'>;
	/** Removes backups that are now too many, and says in words which; failures are only logged. */
	prune: () => Promise<string[]>;
	/** The size of the last archive relative to its contents; null when there is none. */
	lastRatio: () => Promise<number | null>;
	publish: (fact: BackupFact) => void;
	clock: Clock;
};

/** What the steps tell each other; journalled, so that nothing is unknown after a crash. */
type Checkpoint = {
	backup?: { id: string; createdAt: string };
	measured?: Measured;
	mode?: Mode;
	warnings?: string[];
	created?: Created;
	/** What the archive was made from. */
	made?: Pick<Sidecar, 'worlds' | 'roots' | 'gameVersion'>;
};

const SAVES_AGAIN = 'The game saves again.';
const NOT_CONFIRMED =
	'The game has not confirmed that it saves again; it is asked again until it does.';
const AS_THEY_ARE = 'The server is stopped: its files are copied as they are.';
/** Of what was deleted. */
const NAMED_MAX = 3;
/** Compressed chunks hardly shrink, but the padding between them does. */
const RATIO_GUESS = 0.6;
const SPARE_BYTES = 16 << 20;
const RESUME_TRIES = 3;
const RESUME_PAUSE_MS = 1000;

const checkpointOf = (ctx: StepContext) => ctx.checkpoint as Checkpoint;

/** The steps of a backup. However they end, saving is turned on again and nothing half done is left behind. */
export function createMaker(deps: MakeDeps) {
	const { archiver, folder, saving, clock } = deps;

	const sources = async (withMods: boolean) => {
		const { worldDir } = await deps.installation();
		return { worldDir, ...(await findSources({ serverDir: deps.serverDir, worldDir }, withMods)) };
	};

	/** Why there is no world to back up; null when there is one. */
	async function noWorld(): Promise<string | null> {
		const { worlds } = await sources(false);
		return worlds.length ? null : whyNoWorld();
	}
	async function whyNoWorld() {
		const { state } = await deps.server.observe();
		if (state === 'starting') return 'There is no world yet: the server is still starting.';
		// Also where its process is not to be seen.
		if (await staysStopped())
			return 'There is no world yet. Start the server once; then there is something to back up.';
		return 'A server is there, but no world is in the folder that SERVER_DIR names: it may run from another folder.';
	}

	async function preflight(ctx: StepContext, { withMods }: BackupInput) {
		const { roots, worlds } = await sources(withMods);
		if (worlds.length === 0)
			throw new AppError('conflict', await whyNoWorld(), { code: 'no-world' });
		const { freeBytes } = await folder.prepare(
			roots.map((root) => path.join(deps.serverDir, root.path))
		);
		const job = { kind: 'measure', serverDir: deps.serverDir, roots, never: deps.never } as const;
		const measured = await archiver.run(job, { signal: ctx.signal });
		const ratio = (await deps.lastRatio()) ?? RATIO_GUESS;
		const needed = Math.ceil(measured.bytes * ratio) + SPARE_BYTES;
		if (needed > freeBytes)
			throw new AppError(
				'conflict',
				`A backup needs about ${size(needed)}, and ${size(freeBytes)} are free in ${folder.dir}. Delete old backups, or make room.`,
				{ code: 'no-space' }
			);
		const now = clock.now();
		const backup = { id: newId(now), createdAt: now.toISOString() };
		await ctx.remember({ backup, measured, created: undefined, warnings: [], mode: undefined });
		ctx.detail(`${size(measured.bytes)} in ${measured.files} files, for which there is room.`);
	}

	async function pause(ctx: StepContext) {
		const { mode, warning } = await saving.pause((text) => ctx.detail(text), ctx.signal);
		await ctx.remember({ mode, warnings: warning ? [warning] : [] });
		ctx.detail(mode === 'stopped' ? AS_THEY_ARE : 'Saving is paused; players can keep playing.');
		return mode;
	}

	async function archive(ctx: StepContext, input: BackupInput) {
		const { backup, measured } = checkpointOf(ctx);
		const { worldDir, roots, worlds } = await sources(input.withMods);
		const { partial: out, spill } = folder.paths(backup!.id);
		const facts = {
			...backup!,
			gameVersion: await versionOf(worldDir),
			worlds: worlds.map(({ name }) => name),
			withMods: input.withMods
		};
		const made = { worlds, roots: roots.map((root) => root.path), gameVersion: facts.gameVersion };
		const rest = { serverDir: deps.serverDir, roots, never: deps.never, out, spill, facts };
		try {
			const created = await archiver.run(
				{ kind: 'create', ...rest },
				{
					...{ signal: ctx.signal, begun: deps.throttle },
					progress: (done) => ctx.progress(done, Math.max(done, measured!.bytes), 'bytes')
				}
			);
			await ctx.remember({ created, made });
			ctx.progress(created.totals.bytes, created.totals.bytes, 'bytes');
			ctx.detail(`${size(created.totals.bytes)} packed into ${size(created.archiveBytes)}.`);
		} catch (error) {
			await folder.discard(backup!.id);
			// Even when the dashboard is shutting down: the next one may start much later.
			await saving.resume();
			throw error;
		}
	}

	const versionOf = async (worldDir: string) =>
		(await deps.worldVersion(worldDir)) ?? (await deps.installation()).gameVersion;

	/** What happened to saving, in a sentence; null when it was not paused. */
	async function resume(ctx: StepContext): Promise<string | null> {
		if (checkpointOf(ctx).mode === 'stopped')
			return (await staysStopped()) ? null : warn(ctx, 'was started');
		for (let attempt = 1; ; attempt++) {
			const outcome = await saving.resume();
			if (outcome === 'gone') return warn(ctx, 'ended or was started again');
			if (outcome === 'on') return SAVES_AGAIN;
			if (attempt === RESUME_TRIES) return NOT_CONFIRMED;
			await clock.sleep(RESUME_PAUSE_MS, ctx.signal);
		}
	}

	const staysStopped = () =>
		deps.server.ensureStopped().then(
			() => true,
			(cause) => {
				if (cause instanceof AppError && cause.kind === 'conflict') return false;
				throw cause;
			}
		);

	async function warn(ctx: StepContext, what: string) {
		const sentence = `The server ${what} during the backup: some files may not belong together.`;
		await ctx.remember({ warnings: [...(checkpointOf(ctx).warnings ?? []), sentence] });
		return sentence;
	}

	async function seal(ctx: StepContext, input: BackupInput) {
		const { backup, created, made, warnings = [], mode } = checkpointOf(ctx);
		const sidecar: Sidecar = {
			...{ version: 1, ...backup!, ...input },
			bytes: created!.archiveBytes,
			totals: created!.totals,
			manifestSha256: created!.manifestSha256,
			...made!,
			mode: mode ?? 'stopped',
			warnings: [...warnings, ...created!.warnings],
			...{ pinned: false, verifiedAt: null, problem: null }
		};
		await folder.seal(sidecar);
		deps.publish({ type: 'backups-changed' });
		const count = sidecar.warnings.length;
		if (count > 0)
			ctx.detail(
				`Done, with ${count === 1 ? 'a warning' : `${count} warnings`}: ${sidecar.warnings[0]}`
			);
	}

	async function retention(ctx: StepContext) {
		const removed = await deps.prune();
		if (removed.length === 0) ctx.skip('There is nothing to delete yet.');
		ctx.detail(`Deleted as the settings say: ${listed(removed, NAMED_MAX)}.`);
	}

	return {
		noWorld,
		steps: (input: BackupInput): StepPlan[] => [
			{
				id: 'preflight',
				label: 'Check sizes and free space',
				cancellable: true,
				run: (ctx) => preflight(ctx, input)
			},
			{
				id: 'pause',
				label: 'Pause saving',
				cancellable: true,
				run: async (ctx) => {
					if ((await pause(ctx)) === 'stopped') ctx.skip(AS_THEY_ARE);
				},
				undo: (ctx) => back(ctx)
			},
			{
				id: 'archive',
				label: 'Write the archive',
				cancellable: true,
				run: (ctx) => archive(ctx, input),
				undo: async (ctx) => {
					const { backup } = checkpointOf(ctx);
					if (backup) await folder.discard(backup.id);
				}
			},
			{
				id: 'resume',
				label: 'Resume saving',
				afterCrash: 'resume',
				run: async (ctx) => {
					const now = (await resume(ctx)) ?? ctx.skip('Saving was not paused.');
					ctx.detail(now);
					if (now === SAVES_AGAIN)
						ctx.detailOf('pause', 'Saving was paused while the files were copied.');
				}
			},
			{
				id: 'seal',
				label: 'Put the archive in its place',
				afterCrash: 'resume',
				run: (ctx) => seal(ctx, input)
			},
			{ id: 'retention', label: 'Delete what is too old', afterCrash: 'resume', run: retention }
		],
		/** A backup as one step of another operation; returns its id. May be repeated after a crash. */
		async within(ctx: StepContext, input: BackupInput): Promise<string> {
			const before = checkpointOf(ctx).backup;
			if (before) await folder.discard(before.id);
			await preflight(ctx, input);
			await pause(ctx);
			await archive(ctx, input);
			try {
				await resume(ctx);
				await seal(ctx, input);
			} catch (error) {
				await folder.discard(checkpointOf(ctx).backup!.id);
				throw error;
			}
			await deps.prune();
			return checkpointOf(ctx).backup!.id;
		}
	};

	/** Turns saving on; when that is not confirmed, the watch keeps trying. */
	async function back(ctx: StepContext) {
		const outcome = await saving.resume();
		if (outcome === 'unconfirmed') ctx.detail(NOT_CONFIRMED);
	}
}

const newId = (now: Date) =>
	`${now.toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(2).toString('hex')}`;

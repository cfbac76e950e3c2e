import type { Actor } from '#core/actor';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Retry } from '#core/retry-on-disk-error';
import type { ModsSwap } from '#minecraft/mods-swap';
import type { RegistryFile } from '#registry';
import type { Operation } from '#schemas/operation';
import type { Side } from '#schemas/mod';
import type { Snapshot } from '#schemas/snapshot';
import type { Audit } from '#services/audit';
import type { Definition, Operations, ServerControl, StepContext } from '#operations';
import { createDownloads } from './downloads.ts';
import { createPacks } from './packs.ts';
import { changeSteps } from './steps.ts';
import { restoreSteps, type RestoreInput } from './restore.ts';
import { rollback } from './rollback.ts';
import { differs, planChanged } from './set.ts';
import { subjectOf } from './words.ts';

/** What a plan comes down to; JSON, kept in the operation's journal. Titles are for people, with the version: `Lithium 0.13.1`. */
export type ModChange = {
	kind: 'install' | 'update' | 'enable' | 'disable' | 'remove';
	planId: string | null;
	/** Of every mod that changes, those that were asked for first. */
	titles: string[];
	/** Files that come; `staged` is the path of an upload, which belongs to the operation once it runs. */
	put: {
		fileName: string;
		file: RegistryFile | null;
		staged: string | null;
		sha512: string;
		size: number;
		title: string;
		side: Side;
	}[];
	/** Files that go. */
	take: { fileName: string; sha512: string; title: string; side: Side }[];
	/** Enable and disable. */
	rename: { from: string; to: string; sha512: string; title: string; side: Side }[];
	/** File name to sha512 of all that `current` gave when it was planned. */
	before: Record<string, string>;
	/** Stop, start and verify the server. Done in any case unless every jar is for clients only. */
	restart: boolean;
	backupFirst: boolean;
};

/**
 * The operations on mods: install, update, enable, disable, remove, and putting a snapshot back. One that fails, or
 * is killed at any moment, ends with exactly the old or the new set of files, and says which.
 */
export interface ModChanges {
	/** `AppError('conflict')`: something else is running, or the mods are not those of the plan (`plan-changed`). */
	run(change: ModChange, by: Actor): Promise<Operation>;
	/** `note` names the snapshot for people. */
	restore(snapshotId: string, note: string, by: Actor): Promise<Operation>;
	/** Before operations run or are recovered. */
	define(): void;
	/** How a snapshot is put back, for an app that has other restores under the same kind. */
	readonly restoring: Definition<RestoreInput>;
}

export type Deps = {
	operations: Pick<Operations, 'define' | 'run' | 'running'>;
	/** Stops, starts and verifies the server. */
	server: ServerControl;
	files: ModsSwap;
	/** File name to sha512 of every regular file that counts as a mod, as it is on disk now. */
	current: () => Promise<Record<string, string>>;
	/** Those of these files that the registry does not offer any more as they were planned. */
	withdrawn: (files: RegistryFile[], signal: AbortSignal) => Promise<RegistryFile[]>;
	/** With size and hash verified; leaves nothing behind when it fails. */
	download: (
		file: RegistryFile,
		to: string,
		options: { signal: AbortSignal; progress: (bytes: number) => void }
	) => Promise<void>;
	/** Why a jar is no mod for this server, in a sentence. */
	checkJar: (file: string) => Promise<string | null>;
	snapshots: {
		take(input: {
			reason: Snapshot['reason'];
			operationId: string | null;
			note?: string;
		}): Promise<Pick<Snapshot, 'id'>>;
		/** Byte for byte, only while the server is stopped; repeatable after a crash at any point. */
		putBack(id: string): Promise<void>;
		/** Why it cannot be put back, in a sentence. */
		problem(id: string): Promise<string | null>;
		/** One that nobody needs: its operation was cancelled. */
		drop(id: string): Promise<void>;
	};
	/** Null while there are no backups. */
	backup: ((ctx: StepContext) => Promise<void>) | null;
	/** The pack for players. */
	rebuildModpack: () => Promise<void>;
	/** The folder of mods is another than before. */
	changed: () => void;
	audit: Audit['record'];
	log: { error(message: string, facts?: { cause?: unknown }): void };
	clock: Clock;
	dataDir: string;
	/** How long a rollback tries again when the disk refuses. Default: every 5 s, for 30 minutes. */
	retry?: Retry;
};

/** What the steps need beside the outside world. */
export type Tools = Deps & { downloads: ReturnType<typeof createDownloads> } & ReturnType<
		typeof createPacks
	>;

const KINDS = ['install', 'update', 'enable', 'disable', 'remove'] as const;

export function createModChanges(deps: Deps): ModChanges {
	const { operations, audit } = deps;
	const tools: Tools = { ...deps, downloads: createDownloads(deps), ...createPacks(deps) };
	const back = rollback(tools);
	const restoring: Definition<RestoreInput> = {
		kind: 'restore',
		steps: (input) => restoreSteps(input, tools),
		rollback: back
	};

	/** What is in the way names itself; otherwise people are told at once that their plan is out of date. */
	async function begin(
		act: { action: string; subject: string; by: Actor },
		run: () => Promise<Operation>
	): Promise<Operation> {
		const { action, subject, by } = act;
		try {
			const operation = await run();
			await audit(by, action, { subject: operation.id, detail: subject });
			return operation;
		} catch (error) {
			if (error instanceof AppError) {
				const result = error.kind === 'conflict' ? 'refused' : 'failed';
				await audit(by, action, { result, detail: `${subject}: ${error.message}` });
			}
			throw error;
		}
	}

	return {
		restoring,
		define() {
			for (const kind of KINDS)
				operations.define<ModChange & { by: string }>({
					kind,
					steps: (input) => changeSteps(input, tools),
					rollback: back
				});
			operations.define(restoring);
		},
		run(change, by) {
			const subject = subjectOf(change.titles);
			return begin({ action: `mods.${change.kind}`, subject, by }, async () => {
				if (!operations.running()) {
					const difference = differs(change.before, await deps.current());
					if (difference) throw planChanged(difference);
				}
				return operations.run(change.kind, { ...change, by: by.name }, by, subject);
			});
		},
		restore(snapshotId, note, by) {
			const subject = note ? `Snapshot “${note}”` : `Snapshot ${snapshotId}`;
			const input: RestoreInput = { snapshot: snapshotId, by: by.name };
			return begin({ action: 'snapshots.restore', subject, by }, () =>
				operations.run('restore', input, by, subject)
			);
		}
	};
}

import type { Side } from '#schemas/mod';
import type { ModDifference } from '#schemas/operation';
import type { Snapshot, SnapshotChanges } from '#schemas/snapshot';
import type { RecordAction } from '#core/actor';
import type { Clock } from '#core/clock';
import type { Retry } from '#core/retry-on-disk-error';
import type { ModsSwap } from '#minecraft/mods-swap';
import type { Countdown, Operations, ServerControl, StepContext } from '#operations';
import type { RegistryFile } from '#registry';
import type { Trials } from '#trial';

type Gone<Names> = Names & {
	sha512: string;
	title: string;
	side: Side;
	/** What other mods and the log may call it, where that is known. */
	ids?: string[];
	/** The game could not load it. */
	damaged?: true;
};

/** What a plan comes down to; JSON, kept in the operation's journal. Titles are for people, with the version: `Lithium 0.13.1`. */
export type ModChange = {
	kind: 'install' | 'update' | 'enable' | 'disable' | 'remove';
	planId: string | null;
	/** Of every mod that changes, those that were asked for first. */
	titles: string[];
	/** How many of them, the last ones, come only because others need them; absent in older journals. */
	needed?: number;
	/** The same mod by mod, for people; absent in older journals. */
	changes?: ModDifference[];
	/** Files that come; `staged` is the path of an upload, which belongs to the operation once it runs. */
	put: {
		fileName: string;
		file: RegistryFile | null;
		staged: string | null;
		sha512: string;
		size: number;
		title: string;
		side: Side;
		ids?: string[];
	}[];
	/** Files that go. */
	take: Gone<{ fileName: string }>[];
	/** Enable and disable. */
	rename: Gone<{ from: string; to: string }>[];
	/** File name to sha512 of all that `current` gave when it was planned. */
	before: Record<string, string>;
	/** Stop, start and verify the server. Done in any case unless every jar is for clients only. */
	restart: boolean;
	backupFirst: boolean;
	/** Skips the trial on a copy. */
	skipTrial?: boolean;
	/** Players are told for so long before their server is stopped; an empty message stands for our own words. */
	countdown?: Countdown;
	/** The server, which is down, is not started to see whether it comes up. */
	filesOnly?: true;
};

/** Sentences; null when there are none. */
export type Twins = {
	/** One of the two is locked: it could be put out of use. */
	locked: string | null;
	others: string | null;
};

/**
 * `alone`: nothing else was changed with it. `onCopy`: the server was not stopped for it. `control`: the set without it
 * was started in the same way, and came up. `ready`: it had been ready for players.
 */
export type Failed = {
	operationId: string;
	sha512s: string[];
	alone: boolean;
	onCopy: boolean;
	control: boolean;
	ready?: true;
};

export type Deps = {
	operations: Pick<Operations, 'define' | 'run' | 'running' | 'list'>;
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
	/** Which mod would be there twice, in a sentence; `fileOf` is where each of `put` lies now. */
	duplicate: (change: ModChange, fileOf: (index: number) => string) => Promise<string | null>;
	/** Which mods a server would have twice after the snapshot was put back. */
	twins: (snapshot: string) => Promise<Twins>;
	snapshots: {
		take(input: {
			reason: Snapshot['reason'];
			operationId: string | null;
			subject?: string;
			by: string;
			note?: string;
		}): Promise<Pick<Snapshot, 'id'>>;
		/** Byte for byte, only while the server is stopped; repeatable after a crash at any point. */
		putBack(id: string): Promise<void>;
		/** Why it cannot be put back, in a sentence. */
		problem(id: string): Promise<string | null>;
		/** What putting it back would change now. */
		changes(id: string): Promise<SnapshotChanges>;
		/** Removes one that is not needed because its operation was cancelled. */
		drop(id: string): Promise<void>;
	};
	/** Why the mods cannot be changed at all, in a sentence. */
	untouchable: () => Promise<string | null>;
	/** Returns the id of the backup; null while there are no backups. */
	backup: ((ctx: StepContext) => Promise<string>) | null;
	/** Files of the registry with which the server, or its copy, did not come up healthy. */
	failed: (failed: Failed) => Promise<void>;
	/** The pack for players. */
	rebuildModpack: () => Promise<void>;
	/** The folder of mods has changed. */
	changed: () => void;
	audit: RecordAction;
	log: { error(message: string, facts?: { cause?: unknown }): void };
	/** Starts sets of jars on a copy of the server. */
	trials: Pick<Trials, 'problem' | 'boot' | 'times'>;
	trialBoots: () => Promise<'auto' | 'never'>;
	/** What a change would lack by the jars' own metadata, and the present set does not. */
	preflight: (change: ModChange, fileOf: (index: number) => string) => Promise<string[]>;
	clock: Clock;
	modsDir: string;
	dataDir: string;
	/** How long a rollback tries again when the disk refuses. Default: every 5 s, for 30 minutes. */
	retry?: Retry;
};

import type { RecordAction } from '#core/actor';
import type { Clock } from '#core/clock';
import type { Lock } from '#core/lock';
import type { Exchange } from '#core/files';
import type { Retry } from '#core/retry-on-disk-error';
import type { Installation } from '#minecraft/folder';
import type { Countdown, Operations, ServerControl, StepContext, StepPlan } from '#operations';
import type { RegistryVersion } from '#registry';
import type { Snapshot } from '#schemas/snapshot';
import type { PlanItem } from '#schemas/mod';
import type { ModDifference } from '#schemas/operation';
import type { GoBackPlan } from '#schemas/software/kept';
import type { ServerLoader, SoftwarePlan } from '#schemas/software/software';
import type { Sources } from '#sources';
import type { TrialGame, Trials } from '#trial';
import type { ReadinessDeps, Installed } from './readiness.ts';

/** Another game version of the loader that is there. JSON, as operations keep it. */
export type Target = {
	loader: ServerLoader;
	gameVersion: string;
	/** The build that is installed. */
	from: string | null;
	build: string;
	java: number;
	/** Its installer runs without a sandbox, as the plan said. */
	bare?: boolean;
	/** Jar, or file of arguments, that is started now. */
	started: string;
	/** The new jar takes that name: it tells no version. */
	keepName: boolean;
};

/** What changes in mods/: only those who plan and do it look inside. */
export type ModsChange = {
	put: { fileName: string; sha512: string; title: string }[];
	rename: { from: string; to: string }[];
	before: Record<string, string>;
	/** For people; absent in older journals. */
	changes?: ModDifference[];
};

export type UpgradeInput = {
	target: Target;
	/** The game version that is installed. */
	fromGame: string | null;
	change: ModsChange;
	/** File names in mods/ after it of those that were set aside. */
	parked: string[];
	/** Skips the trial on a copy. */
	skipTrial?: boolean;
	/** Before a running server is stopped for it. */
	countdown?: Countdown;
	by: string;
};

type ServerFacts = Pick<Installation, 'loader' | 'loaderVersion' | 'gameVersion'>;

export type Workplace = {
	fresh: string;
	old: string;
	root: string;
	download: string;
	begin(): Promise<void>;
	plan(take: string[]): Promise<Exchange>;
	touch(exchange: Exchange): Promise<void>;
	back(exchange: Exchange): Promise<void>;
	remove(): Promise<void>;
};

/** How software is brought and laid out. */
export type Software = {
	describe(what: Target): Promise<Omit<SoftwarePlan, 'id' | 'subject'> & { bare: boolean }>;
	title(what: Pick<Target, 'loader' | 'gameVersion' | 'build'>): string;
	place(operation: string, prefix: string): Workplace;
	steps(
		what: Target & { by: string },
		prefix: string
	): [java: StepPlan, download: StepPlan, install: StepPlan];
	old(what: Target): string;
	command(place: Workplace, what: Target): Promise<string[] | null>;
	rewriteScripts(place: Workplace, what: Target & { by: string }): Promise<void>;
	removeMade(known: string[]): Promise<void>;
};

/** How the mods come along. */
export type Mods = ReadinessDeps['mods'] & {
	plan(wish: {
		to: ServerFacts;
		park: string[];
		versions: ReadonlyMap<string, RegistryVersion>;
	}): Promise<{
		change: ModsChange;
		updated: PlanItem[];
		added: PlanItem[];
		asItIs: string[];
		parked: PlanItem[];
		content: string | null;
		blocking: string[];
		notes: string[];
		downloadBytes: number;
	}>;
	current(): Promise<Record<string, string>>;
	ensure(change: ModsChange, after?: boolean): Promise<void>;
	bring(ctx: StepContext, change: ModsChange, to: ServerFacts): Promise<void>;
	loads(change: ModsChange): boolean;
	tryOut(ctx: StepContext, change: ModsChange, game: TrialGame): Promise<void>;
	layOut(operation: string, change: ModsChange, dir: string): Promise<void>;
	exchange(change: ModsChange): Exchange;
	discard(operation: string): Promise<unknown>;
	rememberParked(fileNames: string[]): Promise<void>;
};

export type Deps = ReadinessDeps & {
	serverDir: string;
	/** Why the game cannot be exchanged from here, and what to do by hand; null when it can. */
	refusal: string | null;
	/** The files and what is known of them; `requests` is how many that took. */
	installed: (refresh: boolean) => Promise<Installed>;
	installation: () => Promise<Installation>;
	/** What is started now: a jar, or a file of arguments; null when that is not known. */
	started: () => Promise<string | null>;
	untouchable: () => Promise<string | null>;
	sources: Pick<Sources, 'java'>;
	/** Whether a Java for it is here. */
	hasJava: (major: number) => Promise<boolean>;
	software: Software;
	mods: Mods;
	operations: Pick<Operations, 'define' | 'run' | 'list' | 'busy'>;
	/** Its holder may change the server's files. */
	lock: Pick<Lock, 'tryAcquire' | 'release'>;
	/** Everyone the server remembers, and who plays now. */
	players: () => Promise<GoBackPlan['players']>;
	/** What an operation was started with; null when nobody knows. */
	attempt: (id: string) => Promise<unknown>;
	server: ServerControl;
	snapshots: {
		take(input: {
			reason: Snapshot['reason'];
			operationId: string | null;
			subject?: string;
			by: string;
		}): Promise<Pick<Snapshot, 'id'>>;
		/** Byte for byte, only while the server is stopped; repeatable after a crash at any point. */
		putBack(id: string): Promise<void>;
		/** Why it cannot be put back, in a sentence; null when it can. */
		problem(id: string): Promise<string | null>;
		drop(id: string): Promise<void>;
	};
	/** `note`: what it is called. */
	backup: (ctx: StepContext, note: string) => Promise<void>;
	/** The pack for players. */
	modpack: () => StepPlan;
	/** Starts the new game on a copy of the server. */
	trials: Pick<Trials, 'problem' | 'complete'>;
	trialBoots: () => Promise<'auto' | 'never'>;
	/** Makes what was written to this disk survive a power cut. */
	flushDisk: (dir: string) => Promise<void>;
	/** The game's folder has changed. */
	changed: () => void;
	audit: RecordAction;
	log: { error(message: string, facts?: object): void };
	clock: Clock;
	/** How long a rollback tries again when the disk refuses. Default: every 5 s, for 30 minutes. */
	retry?: Retry;
};

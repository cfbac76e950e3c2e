import path from 'node:path';
import type { Cause, TrialBoot } from '#schemas/operation';
import { duration } from '#schemas/plain/words/duration';
import { AppError } from '#core/errors';
import { newestLines } from '#core/newest-lines';
import { OperationFailure, type StepContext, type StepPlan } from '#operations';
import type { TrialGame, TrialJar, TrialVerdict } from '#trial';
import { checkpointOf, remember } from './checkpoint.ts';
import { differs, planChanged, type ModSet } from './set.ts';
import { needsServer, rememberFailure } from './common.ts';
import type { Tools } from './tools.ts';
import type { Deps, ModChange } from './types.ts';

type Change = ModChange & { by: string };

/** Changes to jars that only clients load, or that no loader loads any more, are not tried. */
export const isTried = (change: ModChange) => change.kind !== 'disable' && needsServer(change);

/** Why a change will not be tried on a copy first, in a sentence; null when it will. */
export async function whyNoTrial(
	{ trials, trialBoots, server }: Pick<Deps, 'trials' | 'trialBoots' | 'server'>,
	change: ModChange
): Promise<string | null> {
	if (change.kind === 'disable') return 'A disabled mod is not loaded, so there is nothing to try.';
	if (!isTried(change)) return 'The server does not load these files, so there is nothing to try.';
	if (change.filesOnly) return 'Only the files are changed, as requested: nothing is started.';
	if (change.skipTrial) return 'Skipped, as requested.';
	if ((await trialBoots()) === 'never') return 'Trials on a copy are switched off in the settings.';
	if (!(await server.run()))
		return 'The server is not running, so starting it is the trial. Whoever joins meanwhile is disconnected if it fails.';
	return trials.problem();
}

/** Starts the new set on a copy, while the server keeps running. */
export const trialStep = (change: Change, tools: Tools): StepPlan => ({
	id: 'trial',
	label: 'Try it on a copy of the server',
	cancellable: true,
	afterCrash: 'resume',
	async run(ctx) {
		const why = await whyNoTrial(tools, change);
		if (why) ctx.skip(why);
		await compareOnCopy(ctx, comparison(ctx, change, tools), tools);
	}
});

const comparison = (ctx: StepContext, change: Change, tools: Tools): Comparison => ({
	jars: jarsAfter(change, tools, (index) => tools.downloads.fileOf(ctx.id, index)),
	files: filesOf(change),
	control: jarsOf(change.before, tools),
	words: {
		good: 'The new set started',
		next: 'The current mods are started there',
		neither: 'the current mods do not start',
		continues: 'The change continues',
		bad: 'The new set of mods does not start'
	},
	async ensure() {
		const difference = differs(change.before, await tools.current());
		if (difference) throw planChanged(difference);
	},
	async blamed() {
		await remember(ctx, { trial: 'bad' });
		await rememberFailure(ctx, tools, { onCopy: true, control: true });
	}
});

/** Compares one set with another, each started once on a copy. */
export type Comparison = {
	jars: TrialJar[];
	/** What the change adds or enables. */
	files: string[];
	/** Started in the same way after a failure; the set is to blame only if this one comes up. */
	control: TrialJar[];
	game?: TrialGame;
	words: {
		/** `The new set started` */
		good: string;
		/** `The current mods are started there` */
		next: string;
		/** `the current mods do not start` */
		neither: string;
		/** `The change continues` */
		continues: string;
		/** `The new set of mods does not start` */
		bad: string;
	};
	/** Throws if the files have changed since. */
	ensure(): Promise<void>;
	/** Called when the set does not start and the control does. */
	blamed?(): Promise<void>;
};

/** `OperationFailure` when the set does not start and its control does. An inconclusive trial is noted on the step. */
export async function compareOnCopy(ctx: StepContext, what: Comparison, tools: Boots) {
	try {
		await compare(ctx, what, tools);
	} catch (error) {
		if (!(error instanceof Inconclusive)) throw error;
		// Nothing is known against the new set: the next steps watch it, and roll back if need be.
		ctx.detail(
			`The trial is inconclusive: ${error.message} ${what.words.continues}, and is rolled back if the server does not start.`
		);
	}
}

class Inconclusive extends Error {
	constructor(what: string, cause: string | undefined) {
		super(cause ? `${what} ${sentence(cause)}` : what);
	}
}

async function compare(ctx: StepContext, what: Comparison, tools: Boots) {
	const { jars, files, control, words } = what;
	const boots = createBoots(ctx, tools, what.game);
	const set = await boots.make('new', jars, files);
	if (set.verdict === 'good') return ctx.detail(startedIn(words.good, set));
	ctx.detail(`It did not start on a copy. ${words.next} in the same way.`);
	const other = await boots.make('control', control, []);
	await what.ensure();
	if (other.verdict !== 'good')
		throw new Inconclusive(`${words.neither} on a copy either.`, other.cause?.message);
	await what.blamed?.();
	throw new OperationFailure(blame(set.cause, words.bad));
}

/** "The new set started on a copy of the server in 6.1 s. Watching and stopping it took 3 s." */
function startedIn(what: string, { readyMs, durationMs }: Made) {
	const started = `${what} on a copy of the server in ${duration(readyMs ?? durationMs)}`;
	const restMs = durationMs - (readyMs ?? durationMs);
	return restMs > 0
		? `${started}. Watching and stopping it took ${duration(restMs)}.`
		: `${started}.`;
}

const UNTRIED = 'it could not be completed.';

type Boots = Pick<Deps, 'trials' | 'clock'>;

function createBoots(ctx: StepContext, { trials, clock }: Boots, game?: TrialGame) {
	/** What has already been started on the copy is not started again after a crash of the dashboard. */
	async function made(name: 'new' | 'control', jars: TrialJar[], files: string[]): Promise<Made> {
		const before = checkpointOf(ctx).boots ?? [];
		const known = before.find((one) => one.name === name);
		if (known) return known;
		ctx.expect(await times(trials));
		const how = { signal: ctx.signal, tell: newestLines(ctx.log) };
		const verdict = await trials.boot(jars, { ...how, ...(game && { game }) });
		const boot: Made = { name, ...facts(verdict), files, at: clock.now().toISOString() };
		const boots = [...before, boot];
		await remember(ctx, { boots });
		await ctx.report({ boots: boots.map(toBoot) });
		return boot;
	}

	return {
		/** `Inconclusive` when it could not be started, or was ended from outside. */
		async make(...call: Parameters<typeof made>): Promise<Made> {
			const boot = await made(...call).catch((error) => {
				// Memory or disk space has run out since the check.
				const isShort = error instanceof AppError && error.kind === 'conflict';
				throw isShort && !ctx.signal.aborted ? new Inconclusive(UNTRIED, error.message) : error;
			});
			if (boot.verdict !== 'indeterminate') return boot;
			throw new Inconclusive(UNTRIED, boot.cause?.message);
		}
	};
}

/** Of the whole step, from its beginning: usually one boot is enough, and a control follows at most. */
async function times(trials: Tools['trials']) {
	const { usualMs, limitMs, holdMs } = await trials.times();
	return { usualMs: usualMs && usualMs + holdMs, limitMs: 2 * (limitMs + holdMs) };
}

type Made = NonNullable<ReturnType<typeof checkpointOf>['boots']>[number];

const facts = ({ verdict, cause, fingerprint, durationMs, readyMs }: TrialVerdict) => ({
	verdict,
	fingerprint,
	cause,
	durationMs: Math.round(durationMs),
	readyMs: readyMs === null ? null : Math.round(readyMs)
});

const toBoot = ({ name, files, verdict, durationMs, at }: Made): TrialBoot => ({
	...{ files, verdict, durationMs, at },
	control: name === 'control'
});

const blame = (cause: Cause | null, otherwise: string): Cause => ({
	message: `${sentence(cause?.message ?? otherwise)}${offline(cause)} This was found on a copy: the server itself was never stopped.`,
	log: cause?.log ?? [],
	mods: cause?.mods ?? [],
	onCopy: true
});

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

const NETWORK = /UnknownHostException|ConnectException|NoRouteToHost|Network is unreachable/;
const offline = (cause: Cause | null) =>
	cause?.log.some((line) => NETWORK.test(line))
		? ' It tried to use the network, which a copy does not have. If it needs the network to start, skip the trial.'
		: '';

/** What the change adds or enables. */
export const filesOf = ({
	put,
	rename,
	take
}: Pick<ModChange, 'put' | 'rename' | 'take'>): string[] => {
	const comes = [...put.map(({ fileName }) => fileName), ...rename.map(({ to }) => to)];
	return comes.length ? comes : take.map(({ fileName }) => fileName);
};

const isLoaded = (fileName: string) => fileName.endsWith('.jar');

/** The jars of a set that lies in `mods/`. */
export const jarsOf = (set: ModSet, { modsDir }: Pick<Deps, 'modsDir'>): TrialJar[] =>
	Object.keys(set)
		.filter(isLoaded)
		.map((fileName) => ({ fileName, path: path.join(modsDir, fileName) }));

/** The jars of the new set, where they are before anything is touched. */
export function jarsAfter(
	change: Pick<ModChange, 'before' | 'put' | 'take' | 'rename'>,
	tools: Pick<Deps, 'modsDir'>,
	fileOf: (index: number) => string
): TrialJar[] {
	const { before, put, take, rename } = change;
	const stays = { ...before };
	for (const { fileName } of take) delete stays[fileName];
	for (const { from } of rename) delete stays[from];
	return [
		...jarsOf(stays, tools),
		...rename
			.filter(({ to }) => isLoaded(to))
			.map(({ from, to }) => ({ fileName: to, path: path.join(tools.modsDir, from) })),
		...put.flatMap(({ fileName }, i) => (isLoaded(fileName) ? [{ fileName, path: fileOf(i) }] : []))
	];
}

/** Refused by the mods' names before anything is started. */
export async function refuseWhatLacks(change: Change, tools: Tools, fileOf: (i: number) => string) {
	const [first, ...more] = await tools.preflight(change, fileOf);
	if (first === undefined) return;
	const rest = more.length ? ` (and ${more.length} more of this kind)` : '';
	throw new AppError('conflict', `${first}${rest} Nothing was changed.`, { code: 'plan-blocked' });
}

import path from 'node:path';
import type { Cause, TrialBoot } from '#schemas/operation';
import { AppError } from '#core/errors';
import { OperationFailure, type StepContext, type StepPlan } from '#operations';
import type { TrialJar, TrialVerdict } from '#trial';
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
	if (!isTried(change)) return 'The server does not load these files.';
	if (change.skipTrial) return 'It is left out, as was asked for.';
	if ((await trialBoots()) === 'never') return 'Trial boots are switched off in the settings.';
	if (!(await server.run()))
		return 'The server is stopped, so starting it is the trial: nobody is disconnected by it.';
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
		try {
			await tryIt(ctx, change, tools);
		} catch (error) {
			if (!(error instanceof Inconclusive)) throw error;
			// Nothing is known against the new set: what happens next is watched, and taken back if need be.
			ctx.detail(
				`The trial is inconclusive: ${error.message} The change goes on, and is taken back if the server does not start.`
			);
		}
	}
});

class Inconclusive extends Error {
	constructor(what: string, cause: string | undefined) {
		super(cause ? `${what} ${sentence(cause)}` : what);
	}
}

async function tryIt(ctx: StepContext, change: Change, tools: Tools) {
	const boots = createBoots(ctx, tools);
	const set = await boots.make('new', jarsAfter(change, tools, ctx.id), filesOf(change));
	if (set.verdict === 'good')
		return ctx.detail(`The new set started on a copy of the server in ${seconds(set)} s.`);
	ctx.detail('It did not start on a copy. The present set is started there in the same way.');
	const control = await boots.make('control', jarsOf(change.before, tools), []);
	const difference = differs(change.before, await tools.current());
	if (difference) throw planChanged(difference);
	if (control.verdict !== 'good')
		throw new Inconclusive(
			'the present set does not start on a copy either.',
			control.cause?.message
		);
	await remember(ctx, { trial: 'bad' });
	await rememberFailure(ctx, tools, { onCopy: true, control: true });
	throw new OperationFailure(blame(set.cause));
}

const UNTRIED = 'it could not be tried to the end.';

function createBoots(ctx: StepContext, { trials, clock }: Tools) {
	/** What has already been started on the copy is not started again after a crash of the dashboard. */
	async function made(name: 'new' | 'control', jars: TrialJar[], files: string[]): Promise<Made> {
		const before = checkpointOf(ctx).boots ?? [];
		const known = before.find((one) => one.name === name);
		if (known) return known;
		ctx.expect(await times(trials));
		const verdict = await trials.boot(jars, { signal: ctx.signal, tell: shown(ctx.log) });
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
				// The memory, or the room, that there was a moment ago.
				const isShort = error instanceof AppError && error.kind === 'conflict';
				throw isShort && !ctx.signal.aborted ? new Inconclusive(UNTRIED, error.message) : error;
			});
			if (boot.verdict !== 'indeterminate') return boot;
			throw new Inconclusive(UNTRIED, boot.cause?.message);
		}
	};
}

async function times(trials: Tools['trials']) {
	const { usualMs, limitMs } = await trials.times();
	return { usualMs, limitMs };
}

const SHOWN_LINES = 40;

/** Passes on the newest lines with each new one. */
export function shown(show: (lines: string[]) => void): (line: string) => void {
	let lines: string[] = [];
	show(lines); // no longer those of the boot before
	return (line) => show((lines = [...lines, line].slice(-SHOWN_LINES)));
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

const blame = (cause: Cause | null): Cause => ({
	message: `${sentence(cause?.message ?? 'The new set of mods does not start')}${offline(cause)} This was found on a copy: the server itself was never stopped.`,
	log: cause?.log ?? [],
	mods: cause?.mods ?? []
});

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

const NETWORK = /UnknownHostException|ConnectException|NoRouteToHost|Network is unreachable/;
const offline = (cause: Cause | null) =>
	cause?.log.some((line) => NETWORK.test(line))
		? ' It asked for the network, which a copy does not have: if it only starts with it, skip the trial.'
		: '';

const seconds = ({ readyMs, durationMs }: Made) => ((readyMs ?? durationMs) / 1000).toFixed(1);

/** What the change adds or enables. */
export const filesOf = ({ put, rename, take }: ModChange): string[] => {
	const comes = [...put.map(({ fileName }) => fileName), ...rename.map(({ to }) => to)];
	return comes.length ? comes : take.map(({ fileName }) => fileName);
};

const isLoaded = (fileName: string) => fileName.endsWith('.jar');

/** The jars of a set that lies in `mods/`. */
export const jarsOf = (set: ModSet, { modsDir }: Pick<Deps, 'modsDir'>): TrialJar[] =>
	Object.keys(set)
		.filter(isLoaded)
		.map((fileName) => ({ fileName, path: path.join(modsDir, fileName) }));

function jarsAfter(change: Change, tools: Tools, operation: string): TrialJar[] {
	const { before, put, take, rename } = change;
	const stays = { ...before };
	for (const { fileName } of take) delete stays[fileName];
	for (const { from } of rename) delete stays[from];
	return [
		...jarsOf(stays, tools),
		...rename
			.filter(({ to }) => isLoaded(to))
			.map(({ from, to }) => ({ fileName: to, path: path.join(tools.modsDir, from) })),
		...put.flatMap(({ fileName }, i) =>
			isLoaded(fileName) ? [{ fileName, path: tools.downloads.fileOf(operation, i) }] : []
		)
	];
}

/** Refused by the mods' names before anything is started. */
export async function refuseWhatLacks(change: Change, tools: Tools, fileOf: (i: number) => string) {
	const [first, ...more] = await tools.preflight(change, fileOf);
	if (first === undefined) return;
	const rest = more.length ? ` (and ${more.length} more of this kind)` : '';
	throw new AppError('conflict', `${first}${rest} Nothing was changed.`, { code: 'plan-blocked' });
}

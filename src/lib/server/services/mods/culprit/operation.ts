import { listed } from '#schemas/plain/words/listed';
import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { TrialBoot, type CulpritResult, type Operation } from '#schemas/operation';
import type { CulpritRequest } from '#schemas/mod';
import type { Actor, RecordAction } from '#core/actor';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { newestLines } from '#core/newest-lines';
import type { JarFacts } from '#minecraft/mods';
import { beginAudited, type Operations, type StepContext } from '#operations';
import type { Journal } from '#storage/journal';
import type { Trials } from '#trial';
import {
	createDownloads,
	differs,
	filesOf,
	type Deps as ChangeDeps,
	type Failed,
	type ModChange
} from '../change/index.ts';
import type { Satisfies } from '../installed/index.ts';
import { setOf, type Known } from '../known.ts';
import { factsOf } from '../upload.ts';
import { overridden } from './preflight.ts';
import { findCulprits, mostBoots, type Answer, type Found, type Group } from './search.ts';
import {
	allMods,
	changedMods,
	jarsWith,
	suspectGroups,
	type Lineup,
	type Suspect
} from './suspects.ts';

/** Searches for the culprits by starting the server on copies; it locks nothing that the server needs. */
export interface Culprits {
	/** `AppError` `not-found`; `conflict`: there is nothing to search, it is not possible here, or another search runs. */
	start(request: CulpritRequest, by: Actor): Promise<Operation>;
	/** What a search after an operation would take, or the one that there was. */
	offer(operation: Operation): Promise<CulpritOffer>;
	/** Before operations run or are recovered. */
	define(): void;
}

export type CulpritOffer = {
	/** The newest search among the changes of this operation. */
	search: string | null;
	/** The most that a search would take; null when none would make sense. */
	estimate: { suspects: number; boots: number; minutes: number } | null;
	/** Why none can begin now, in a sentence. */
	why: string | null;
};

export type CulpritDeps = Pick<
	ChangeDeps,
	'dataDir' | 'download' | 'checkJar' | 'log' | 'modsDir'
> & {
	operations: Pick<Operations, 'define' | 'run' | 'list'>;
	journal: Pick<Journal, 'read' | 'newest'>;
	trials: Pick<Trials, 'problem' | 'boot' | 'times'>;
	/** What is in `mods/` now. */
	read: () => Promise<Pick<Known, 'files' | 'server'>>;
	readJar: (handle: FileHandle) => Promise<JarFacts>;
	satisfies: Satisfies;
	/** Remembers what does not start here; `certain` when it failed by itself, beside a good control. */
	remember: (failure: Failed & { certain: boolean }) => Promise<void>;
	/** The others that failed with them in that operation are no longer suspected. */
	acquit: (operationId: string, guilty: string[]) => Promise<void>;
	serverDir: string;
	audit: RecordAction;
	clock: Clock;
};

/** A boot as it is stored for a later process: with what the search needs to recognise it. */
const Made = TrialBoot.extend({
	fingerprint: z.string().nullable(),
	/** What was said of it; absent in older journals. */
	why: z.string().nullable().default(null)
});
type Made = z.infer<typeof Made>;
const Memo = z.object({ made: z.array(Made).optional() });

type Input = {
	/** The operation that failed; null when every mod is suspected. Absent in older journals. */
	operationId?: string | null;
	/** Null: every mod. */
	change: Pick<ModChange, 'put' | 'take' | 'rename'> | null;
	before: Record<string, string>;
	maxBoots: number | null;
	/** Whom the log of the failure names, as people call them. Absent in older journals. */
	named?: string[];
	/** Boots that the failed operation has made: the whole set, and the control. */
	made: Made[];
};

/** What is compared: none of the suspects, and all of them. */
const CONTROLS = 2;
const SEARCHED = 50;
const STARTS = ['start', 'restart'];
const CHANGES = ['install', 'update', 'enable', 'remove', 'disable'];
const DAY_MS = 24 * 3600_000;
const NOBODY: CulpritResult = { culprits: [], together: false, rest: [] };

export function createCulprits(deps: CulpritDeps): Culprits {
	const { operations, trials, audit } = deps;
	const downloads = createDownloads(deps);

	async function inputOf({ operationId, ...asked }: CulpritRequest): Promise<Input> {
		const maxBoots = asked.maxBoots ?? null;
		const now = setOf((await deps.read()).files);
		if (!operationId) return { operationId: null, change: null, before: now, maxBoots, made: [] };
		const entry = await deps.journal.read(operationId);
		if (!entry) throw new AppError('not-found', 'There is no such operation.');
		const { kind, state, kept, cause } = entry.operation;
		if (
			kept ||
			!CHANGES.includes(kind) ||
			!['failed', 'rolled-back', 'interrupted'].includes(state)
		)
			throw new AppError('conflict', 'Only a failed change to the mods can be searched.');
		const change = entry.input as ModChange;
		const difference = differs(change.before, now);
		if (difference)
			throw new AppError(
				'conflict',
				`The mods are not what they were before that change: ${difference}. Try the change again first.`
			);
		if (change.put.some(({ file }) => !file))
			throw new AppError(
				'conflict',
				'An uploaded jar is not kept after a failure: upload it again to try it.'
			);
		const { put, take, rename, before } = change;
		const made = trialOf(entry.memo, change);
		const named = (cause?.mods ?? []).map((id) => cause?.titles?.[id] ?? id);
		return { operationId, change: { put, take, rename }, before, maxBoots, named, made };
	}

	async function searchOf(id: string): Promise<string | null> {
		for (const { kind, id: search } of await deps.journal.newest(SEARCHED)) {
			if (kind !== 'culprit' || search < id) continue;
			const entry = await deps.journal.read(search);
			if ((entry?.input as Input | undefined)?.operationId === id) return search;
		}
		return null;
	}

	async function offer({ id, kind, state, cause, kept }: Operation): Promise<CulpritOffer> {
		const nothing = { search: null, estimate: null, why: null };
		if (!['failed', 'rolled-back', 'interrupted'].includes(state)) return nothing;
		// Of a change that stays, only the start has failed.
		const ofChange = CHANGES.includes(kind) && !kept;
		// What the log names without doubt is not searched for.
		if (!ofChange && (!(STARTS.includes(kind) || kept) || cause?.certain)) return nothing;
		const search = ofChange ? await searchOf(id) : null;
		const input = await inputOf(ofChange ? { operationId: id } : { scope: 'all' }).catch(notNow);
		if (typeof input === 'string') return { ...nothing, search };
		const { change, before, made } = input;
		const suspects = change
			? Math.max(change.put.length + change.rename.length, change.take.length)
			: Object.keys(before).filter((fileName) => fileName.endsWith('.jar')).length;
		if (suspects < 2) return { ...nothing, search };
		const why = await trials.problem();
		const boots = mostBoots(suspects).pair + CONTROLS - made.length;
		return { search, why, estimate: { suspects, boots, minutes: await minutesFor(boots, trials) } };
	}

	return {
		offer,
		define: () =>
			operations.define<Input>({
				kind: 'culprit',
				resumeWithinMs: DAY_MS,
				steps: (input) => [
					{
						id: 'download',
						label: 'Fetch the new versions',
						cancellable: true,
						afterCrash: 'resume',
						run: async (ctx) => {
							await downloads.sweep(ctx.id);
							const { put = [] } = input.change ?? {};
							if (put.length === 0) ctx.skip('There is nothing to download.');
							await downloads.fetch(ctx, put);
						},
						undo: async (ctx) => void (await downloads.remove(ctx.id))
					},
					{
						id: 'search',
						label: 'Start the server on copies',
						cancellable: true,
						afterCrash: 'resume',
						async run(ctx) {
							await search(ctx, input, { ...deps, broughtTo: (i) => downloads.fileOf(ctx.id, i) });
							await downloads.remove(ctx.id);
						}
					}
				]
			}),
		start: (request, by) =>
			beginAudited({ action: 'mods.culprit', subject: null, by }, audit, async () => {
				const why = await trials.problem();
				if (why) throw new AppError('conflict', why);
				const input = await inputOf(request);
				return operations.run(
					'culprit',
					input,
					by,
					request.operationId ? 'the changed mods' : 'all mods'
				);
			})
	};
}

/** What the trial of the failed change has already shown. */
function trialOf(memo: Record<string, unknown>, change: ModChange): Made[] {
	const kept = z
		.array(
			TrialBoot.omit({ control: true }).extend({
				name: z.string(),
				fingerprint: z.string().nullable()
			})
		)
		.safeParse(memo['boots']);
	if (memo['trial'] !== 'bad' || !kept.success) return [];
	return kept.data.map(({ name, ...boot }) => ({
		...boot,
		why: null,
		control: true,
		files: name === 'control' ? [] : filesOf(change)
	}));
}

type Tools = CulpritDeps & { broughtTo: (index: number) => string };

async function search(ctx: StepContext, input: Input, tools: Tools) {
	const { files, server } = await tools.read();
	const put = input.change?.put ?? [];
	const facts = await Promise.all(put.map((_, i) => factsOf(tools.broughtTo(i), tools.readJar)));
	const lineup = input.change ? changedMods(files, input.change, facts) : allMods(files);
	const { satisfies, serverDir } = tools;
	const rules = { server, satisfies, overridden: await overridden(serverDir) };
	const groups = suspectGroups(lineup, facts, rules);
	const boots = createBoots(ctx, { input, tools, lineup, groups });
	const all = groups.flatMap((group) => group.files);

	const { named = [] } = input;
	/** That nothing was found does not take back what the log says. */
	const nobody = named.length ? { ...NOBODY, named } : NOBODY;
	const end = (words: string) => tell(ctx, words, nobody);

	const control = await boots.make([], true);
	if (control.verdict === 'bad') return end(input.change ? NO_CONTROL : NOT_EVEN_ALONE);
	if (control.verdict !== 'good') return end(unjudged(control));
	const whole = await boots.make(all, true);
	if (whole.verdict === 'good') return end(named.length ? ONLY_THERE : STARTS_HERE);
	if (whole.verdict !== 'bad') return end(unjudged(whole));
	try {
		const ask = async (on: Group[]): Promise<Answer> => {
			const files = on.flatMap((group) => group.files);
			let boot = await boots.make(files, false);
			if (isCutShort(boot)) boot = await boots.make(files, false);
			if (isCutShort(boot)) throw new CutShort(boot);
			return boot.verdict;
		};
		const found = await findCulprits(groups, ask, [groups]);
		// The set may have changed before the last boot.
		await ensureSame(input, tools);
		await conclude(ctx, found, {
			...{ lineup, tools, nobody, operationId: input.operationId ?? null },
			started: boots.started()
		});
	} catch (error) {
		if (error instanceof CutShort) return end(unjudged(error.boot));
		if (!(error instanceof Enough)) throw error;
		await end(`No more than ${error.limit} boots were allowed, and they were not enough.`);
	}
}

/** The machine ended the boot: that is no answer, rather than a failure of another kind. */
const isCutShort = ({ verdict, fingerprint }: Made) =>
	verdict === 'indeterminate' && fingerprint === null;

class CutShort extends Error {
	readonly boot: Made;
	constructor(boot: Made) {
		super('cut short');
		this.boot = boot;
	}
}

class Enough extends Error {
	readonly limit: number;
	constructor(limit: number) {
		super('limit');
		this.limit = limit;
	}
}

type Search = { input: Input; tools: Tools; lineup: Lineup; groups: Group[] };

/** Boots are made once: a later process reuses those in the checkpoint, in their order. */
function createBoots(ctx: StepContext, { input, tools, lineup, groups }: Search) {
	const { trials, clock, modsDir, broughtTo } = tools;
	// The trial booted the change as a whole, whatever files it names: jars that are only removed are suspects too.
	const whole = groups.flatMap((group) => group.files);
	const tried = input.made.map((boot) => (boot.files.length ? { ...boot, files: whole } : boot));
	const before = Memo.parse(ctx.checkpoint).made ?? tried;
	const waiting = [...before];
	const made: Made[] = [...before];
	let failure: string | null = null;
	const { pair } = mostBoots(groups.length);
	const limit = input.maxBoots ?? pair;

	async function fresh(files: string[], control: boolean): Promise<Made> {
		if (!control && made.filter((one) => !one.control).length >= limit) throw new Enough(limit);
		await ensureSame(input, tools);
		await announce(ctx, {
			tools,
			count: made.length,
			most: Math.min(limit, pair) + CONTROLS,
			files
		});
		const verdict = await trials.boot(jarsWith(lineup, files, { modsDir, broughtTo }), {
			signal: ctx.signal,
			tell: newestLines(ctx.log)
		});
		const other = verdict.verdict === 'bad' && failure !== null && verdict.fingerprint !== failure;
		const boot: Made = {
			...{ files, control, at: clock.now().toISOString(), fingerprint: verdict.fingerprint },
			why: verdict.cause?.message ?? null,
			verdict: other ? 'indeterminate' : verdict.verdict,
			durationMs: Math.round(verdict.durationMs)
		};
		made.push(boot);
		await ctx.remember({ made });
		await ctx.report({ boots: made.map(({ fingerprint: _, why: __, ...shown }) => shown) });
		return boot;
	}

	return {
		/** The suspects of each set that has started. */
		started: () => made.filter(({ verdict }) => verdict === 'good').map(({ files }) => files),
		async make(files: string[], control: boolean): Promise<Made> {
			const at = waiting.findIndex((one) => same(one.files, files));
			const boot = at >= 0 ? waiting.splice(at, 1)[0]! : await fresh(files, control);
			// The first failure is the one that the search looks for.
			if (boot.verdict === 'bad' && files.length > 0) failure ??= boot.fingerprint;
			return boot;
		}
	};
}

async function ensureSame({ before }: Input, { read }: Pick<Tools, 'read'>) {
	const difference = differs(before, setOf((await read()).files));
	if (!difference) return;
	throw new AppError(
		'conflict',
		`The mods were changed during the search: ${difference}. It has ended.`
	);
}

const same = (a: string[], b: string[]) =>
	a.length === b.length && a.every((one) => b.includes(one));

async function announce(
	ctx: StepContext,
	{ tools, count, most, files }: { tools: Tools; count: number; most: number; files: string[] }
) {
	const minutes = await minutesFor(Math.max(1, most - count), tools.trials);
	ctx.progress(count, most, 'boots');
	ctx.detail(
		`Boot ${count + 1} of at most ${most}, with ${files.length ? `${files.length} of the suspects` : 'none of the suspects'}. About ${minutes} min more at the longest.`
	);
}

async function minutesFor(boots: number, trials: Pick<Trials, 'times'>) {
	const { wholeMs } = await trials.times();
	return Math.max(1, Math.ceil((wholeMs * boots) / 60_000));
}

function notNow(error: unknown): string {
	if (error instanceof AppError) return error.message;
	throw error;
}

async function tell(ctx: StepContext, words: string, result: CulpritResult) {
	await ctx.report({ result });
	ctx.detail(words);
}

type Conclusion = {
	lineup: Lineup;
	tools: Tools;
	/** The result where nobody is to blame for certain. */
	nobody: CulpritResult;
	operationId: string | null;
	/** The suspects of each set that has started. */
	started: string[][];
};

async function conclude(
	ctx: StepContext,
	found: Found,
	{ lineup, tools, nobody, operationId, started }: Conclusion
) {
	if (found.is === 'flaky') return tell(ctx, FLAKY, nobody);
	if (found.is === 'unclear') {
		const halves = found.suspects.map((half) =>
			names(
				half.flatMap(({ files }) => files),
				lineup
			)
		);
		return tell(ctx, `${UNCLEAR} It is somewhere in: ${halves.join(' — or: ')}.`, nobody);
	}
	const blamed = found.culprits.flatMap(({ files }) => files);
	const guilty = lineup.suspects.filter(({ fileName }) => blamed.includes(fileName));
	const together = guilty.length > 1;
	const others = lineup.suspects.filter((one) => !guilty.includes(one) && one.put.length);
	const old = (some: Suspect[]) => some.flatMap(({ take }) => take.map(({ fileName }) => fileName));
	const rest = old(others);
	const updates = lineup.suspects.filter(({ put, take }) => put.length && take.length);
	const good = started.filter((set) => !set.some((fileName) => blamed.includes(fileName))).flat();
	const tried = others.filter(({ fileName, take }) => take.length && good.includes(fileName));
	await tell(
		ctx,
		together
			? `${titles(guilty)} do not start together.`
			: `${titles(guilty)} does not start here.`,
		{
			culprits: guilty.map(({ fileName, title }) => ({ fileName, ...named(title) })),
			together,
			rest,
			...(rest.length && { tried: old(tried).length, updates: updates.length }),
			...(tried.length && { started: tried.map(({ title }) => named(title).title) })
		}
	);
	const sha512s = guilty.flatMap(({ put }) => put.map(({ sha512 }) => sha512));
	if (!sha512s.length) return;
	const failure = {
		...{ operationId: ctx.id, sha512s, onCopy: true, control: true },
		...{ alone: !together, certain: !together }
	};
	await tools
		.remember(failure)
		.then(() => (operationId ? tools.acquit(operationId, sha512s) : undefined))
		.catch((cause) => tools.log.error('A version that failed could not be remembered', { cause }));
}

const titles = (suspects: Suspect[]) => listed(suspects.map(({ title }) => title));
const names = (files: string[], { suspects }: Lineup) =>
	titles(suspects.filter(({ fileName }) => files.includes(fileName)));

/** `Lithium 0.13.1` */
function named(title: string): { title: string; version: string | null } {
	const [, name, version] = /^(.+) (\S*\d\S*)$/.exec(title) ?? [];
	return name ? { title: name, version: version! } : { title, version: null };
}

const NO_CONTROL =
	'The mods as they are do not start on a copy either, so nothing could be compared: nobody is blamed.';
const NOT_EVEN_ALONE =
	'The server does not start on a copy without any mods either: it is not one of them.';
const STARTS_HERE =
	'On a copy everything starts. It is more likely the world, or something on this machine (memory, a port, a file), than a mod.';
const ONLY_THERE =
	'On a copy, with a new world, everything starts: it shows only on the server itself, with its world or after a while.';
const FLAKY =
	'The same set started once and failed once, so nothing can be proved: nobody is blamed.';
const unjudged = ({ why }: Made) =>
	`A boot was ended before it could be judged, so nobody is blamed.${why ? ` ${why}` : ''} Search again once that is fixed.`;
const UNCLEAR = 'The boots failed in different ways, so nobody can be blamed for certain.';

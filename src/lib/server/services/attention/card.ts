import type { Blame, CrashCard } from '#schemas/overview/attention';
import type { LogFile } from '#schemas/log';
import type { Mod, ModUpdates } from '#schemas/mod';
import type { Operation } from '#schemas/operation';
import { logAt, logsAddress } from '#schemas/plain/log-at';
import { withTitles, type ModTitles } from '#schemas/plain/mod-titles';
import { isComing, type Known } from '#core/ttl-cache';
import type { Observation } from '#operations';
import {
	adviceNow,
	crashWith,
	enabledOf,
	faultOf,
	mendedBy,
	namedIn,
	takenBackIn,
	titlesIn
} from './crash.ts';
import { CHANGING, type Sources } from './sources.ts';
import type { Crash } from './state.ts';

/** `startedAt`: it may have crashed while the rest of it was done. `ofMods`: not only of the world. */
type LastChange = NonNullable<CrashCard['change']> & { startedAt: string; ofMods: boolean };

export type CardDeps = {
	/** Of the folder as it is now, not as it was a moment ago; null where that cannot be told at once. */
	atOnce: {
		mods: () => Promise<Mod[] | null>;
		updates: () => Promise<Pick<ModUpdates, 'mods'> | null>;
	};
	/** Logs and crash reports, newest first. */
	logFiles: () => Promise<Known<LogFile[]>>;
	/** The last change of the mods that worked, and the snapshot from before it. */
	lastChange: () => Promise<Known<LastChange | 'none'>>;
};

/** `isChanging`: whether the mods are being changed. */
type Seen = { now: Observation; seen: ReadonlySet<string>; at: string; isChanging: () => boolean };

const NO_CHANGE: Known<'none'> = { value: 'none', problem: null };
const NO_CARD = { card: null, pending: false };

/** While it lasts, and afterwards until somebody has looked. `pending`: more of it will be known in a moment. */
export async function cardOf(
	recorded: Crash | null,
	{ now, seen, at, ...during }: Seen,
	deps: CardDeps & Pick<Sources, 'operations'>
): Promise<{ card: CrashCard | null; pending: boolean }> {
	const lasts = now.state === 'crashed';
	const isThis = recorded !== null && recorded.at === now.endedAt;
	const operations = (await deps.operations()).value ?? [];
	const ended = now.endedAt ?? at;
	const tried = lasts && !isThis ? takenBackIn(ended, operations) : undefined;
	if (!lasts && (!recorded || seen.has(`crash:${recorded.at}`))) return NO_CARD;
	const [files, known, change] = await Promise.all([
		deps.logFiles(),
		nowIn(deps),
		deps.lastChange()
	]);
	const { installed, updates } = known;
	const here = { files: files.value ?? [], installed: installed ?? [] };
	// It may be seen before it is recorded.
	const isNew = lasts && !isThis && !tried;
	const crash = isNew ? crashWith({ ...now, at: ended }, { ...here, last: recorded }) : recorded;
	if (!crash) return NO_CARD;
	const key = `crash:${crash.at}`;
	// What ended it from outside, no change of the mods has brought about.
	const blame = blameIn(crash, known, crash.remedy === 'start' ? NO_CHANGE : change);
	const titles = {
		...titlesTold(crash.mods, operations),
		...titlesIn(crash, here.installed)
	};
	const isChanging = during.isChanging();
	// What is in place only to be tried may be gone in a moment: nothing is dealt with yet.
	const mended = installed && !isChanging ? mendedBy(crash, titles, installed) : null;
	// What it was about is done, and it runs; so it is where it has come up since.
	if ((mended || (crash.keptDown && crash.isOver)) && now.state === 'running') return NO_CARD;
	const advice = crash.advice && withTitles(crash.advice, titles);
	const isDown = lasts || now.state === 'stopped';
	const named = namedIn(crash, titles);
	const card = {
		...blame,
		...(tried && {
			again: { at: ended, operationId: tried.id, kind: tried.kind, subject: tried.subject }
		}),
		// What comes next, such as an automatic restart, is part of the present reason.
		...{ key, lasts, ...(mended && { mended }), ...(isChanging && { changing: true as const }) },
		advice: isChanging
			? CHANGING
			: mended
				? `${mended}${isDown ? ' Start the server.' : ''}`
				: withoutStart(adviceNow({ ...crash, advice }, blame, updates), isDown),
		message: withTitles((lasts && isThis && now.reason) || crash.message, titles),
		fault: faultOf({ ...crash, mods: crash.mods.map((id) => titles[id] ?? id) }),
		...{ lines: crash.lines, report: crash.report },
		...(named && { named }),
		log: logAddress(crash, lasts ? null : logAt(crash.at, here.files)),
		seen: seen.has(key)
	};
	return { card, pending: [files, change].some(isComing) };
}

/** It was started again since. */
const withoutStart = (advice: string | null, isDown: boolean) =>
	isDown ? advice : (advice?.replace(/^Start it again\. /, '') ?? null);

/** At its line, which is found in whatever file it is now. */
function logAddress({ line }: Crash, file: string | null) {
	if (line) return logsAddress({ at: line });
	return logsAddress(file ? { file } : {});
}

/** As operations named them that failed because of them: they may be gone by now. */
const titlesTold = (named: string[], operations: Operation[]): ModTitles =>
	Object.fromEntries(
		operations
			.flatMap(({ cause }) => Object.entries(cause?.titles ?? {}))
			.filter(([id]) => named.includes(id))
	);

export async function nowIn({ atOnce }: Pick<CardDeps, 'atOnce'>) {
	const [installed, updates] = await Promise.all([atOnce.mods(), atOnce.updates()]);
	return { installed, updates: updates?.mods ?? null };
}

const NONE = {
	startedAt: null,
	ofMods: false,
	at: '',
	title: '',
	operationId: '',
	snapshotId: null
};

export async function blameOf(
	crash: Pick<Crash, 'mods' | 'at' | 'before'>,
	deps: Pick<CardDeps, 'lastChange' | 'atOnce'>
): Promise<Blame> {
	const [change, known] = await Promise.all([deps.lastChange(), nowIn(deps)]);
	return blameIn(crash, known, change);
}

export function blameIn(
	{ mods: named, at, before }: Pick<Crash, 'mods' | 'at' | 'before'>,
	{ installed, updates }: Awaited<ReturnType<typeof nowIn>>,
	change: Known<LastChange | 'none'>
): Blame {
	const { startedAt, ofMods, ...last } =
		change.value === 'none' || !change.value ? NONE : change.value;
	// A mod that is to blame was not brought by a restore of the world.
	const mayBe = startedAt !== null && startedAt < at && (ofMods || !named.length);
	return {
		at,
		mods: enabledOf(named, installed ?? [], { updates: updates ?? [], before }),
		change: mayBe ? last : null
	};
}

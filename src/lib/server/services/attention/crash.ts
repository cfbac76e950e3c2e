import { failedHow, isOffered } from '#schemas/plain/offered';
import type { Blame, CrashCard } from '#schemas/overview/attention';
import type { LogFile, LogHit } from '#schemas/log';
import type { Mod, ModUpdateState } from '#schemas/mod';
import type { Operation, OperationKind } from '#schemas/operation';
import { mayChangeMods } from '#schemas/plain/of-mods';
import { isTrouble } from '#schemas/plain/trouble';
import { isNamed, titlesOf, type ModTitles } from '#schemas/plain/mod-titles';
import { listed } from '#schemas/plain/words/listed';
import type { Clock } from '#core/clock';
import type { Known } from '#core/ttl-cache';
import type { Diagnosis } from '#minecraft/diagnosis';
import {
	crashSeen,
	type Crash as SeenCrash,
	type Observation,
	type RunNotes,
	type RunTrouble
} from '#operations';
import { accuse, followed } from './accused.ts';
import type { Accused, AttentionFile, Crash } from './state.ts';

/** A crash report is written before the process ends; one that hangs may take long to end. */
const REPORT_BEFORE_MS = 10 * 60_000;
/** The clocks of files and of processes differ a little. */
const APART_MS = 60_000;

type Deps = {
	state: AttentionFile;
	observe: () => Promise<Observation>;
	/** The operation that holds the server: one that only tries mods on a copy repairs nothing. */
	running: () => { kind: OperationKind } | null;
	/** Logs and crash reports, newest first. */
	files: () => Promise<LogFile[]>;
	/** The newest of the current log, oldest first. */
	lastLines: () => Promise<LogHit[]>;
	mods: () => Promise<Known<Mod[]>>;
	/** The newest. */
	operations: () => Promise<Operation[]>;
	clock: Clock;
	/** The operation that had started a run keeps how that fared. Never rejects; the same is told many times. */
	note: RunNotes;
};

/** With what it tried the server crashed, and that has been taken back: nothing that is installed now is to blame. */
export const takenBackIn = (at: string, operations: Operation[]) =>
	operations.find(
		({ kind, state, startedAt, finishedAt }) =>
			mayChangeMods(kind) &&
			state === 'rolled-back' &&
			startedAt <= at &&
			finishedAt !== null &&
			at <= finishedAt
	);

/** Keeps the last crash, even when the server was restarted by itself in the meantime. */
export function createCrashRecord(deps: Deps) {
	const { state, observe, running, files, lastLines, mods, operations, clock, note } = deps;
	/** The run that hangs, and since when. */
	let hangs: RunTrouble | null = null;
	/** A mod that it named may have been disabled, or enabled again. */
	async function follow() {
		const { accused } = await state.read();
		if (!accused.length) return;
		const { value: installed } = await mods();
		if (!installed) return;
		const nowMs = clock.now().getTime();
		await state.update((old) => ({ ...old, accused: followed(old.accused, installed, nowMs) }));
	}
	return {
		/** Something about the server, or an operation, has changed. */
		async look(): Promise<void> {
			const now = await observe();
			// What begins from here on has nothing to do with what was seen.
			const { kind } = running() ?? {};
			const ran = now.lastRun && { lastRun: now.lastRun };
			// One that answers again is well.
			if (hangs && hangs.run !== now.run?.id) await note.hung(hangs);
			hangs = hanging(now);
			const seen = crashSeen(now);
			if (seen?.endedRun) {
				const { report } = crashOf({ ...seen, ...ran }, await files());
				await note.crashed({ run: seen.endedRun, at: seen.at, report });
			}
			// It belongs to the operation, which reports and repairs it.
			if (kind && mayChangeMods(kind)) return;
			const { crash: last } = await state.read();
			if (seen && last?.at !== seen.at) {
				if (takenBackIn(seen.at, await operations())) return;
				const line = lineAt(seen.at, await lastLines());
				const installed = (await mods()).value ?? [];
				const found = crashWith({ ...seen, ...ran }, { files: await files(), installed, last });
				const crash = { ...found, line };
				await state.update((old) => ({
					...{ ...old, crash },
					accused: accuse(old.accused, accusedBy(crash, installed))
				}));
				return;
			}
			if (last && !last.isOver && now.state === 'running' && last.at < (now.readyAt ?? ''))
				await state.update((old) =>
					old.crash?.at === last.at ? { ...old, crash: { ...old.crash, isOver: true } } : old
				);
			await follow();
		}
	};
}

function hanging({ run, hanging, silentSince }: Observation): RunTrouble | null {
	return run && hanging && silentSince ? { run: run.id, at: silentSince } : null;
}

/** `lastRun`: the one that ended with it, where that is known. */
type Ended = SeenCrash & Pick<Observation, 'lastRun'>;

/** What can keep a server from coming up at all. */
const OF_STARTS: Diagnosis['code'][] = [
	...(['mods', 'port', 'eula', 'java-missing', 'java-version', 'world-locked'] as const)
];

function crashOf({ at, reason, diagnosis, lastRun }: Ended, files: LogFile[]): Crash {
	const endedMs = Date.parse(at);
	const begunMs = lastRun?.endedAt === at ? Date.parse(lastRun.startedAt) : -Infinity;
	const sinceMs = Math.max(begunMs, endedMs - REPORT_BEFORE_MS);
	const report = files.find(({ kind, modifiedAt }) => {
		const ms = Date.parse(modifiedAt);
		return kind === 'crash' && ms > sinceMs && ms < endedMs + APART_MS;
	});
	return {
		at,
		code: diagnosis?.code ?? null,
		message: reason ?? diagnosis?.message ?? 'It ended without being asked to.',
		advice: diagnosis?.advice || null,
		...(diagnosis?.remedy && { remedy: diagnosis.remedy }),
		lines: diagnosis?.log ?? [],
		mods: diagnosis?.mods ?? [],
		...{ titles: {}, files: {}, versions: {}, before: {} },
		keptDown: diagnosis?.restartable === false && OF_STARTS.includes(diagnosis.code),
		isOver: false,
		report: report?.name ?? null,
		line: null
	};
}

/** Its last error, or else its last line; null when another run has begun the log anew since. */
function lineAt(at: string, lines: LogHit[]): string | null {
	const own = lines.filter((line) => line.at !== null && line.at <= at);
	return (own.findLast(({ level }) => isTrouble(level)) ?? own.at(-1))?.id ?? null;
}

/** Of two files of the same mod the one that is loaded. */
const modOf = (id: string, installed: Mod[]) => {
	const found = installed.filter((one) => isNamed(id, one));
	return found.find(({ enabled }) => enabled) ?? found[0];
};

/** The last of the quoted lines that names one of the mods by its id, its file or its title; null when none does. */
export function namedIn({ lines, mods }: Pick<Crash, 'lines' | 'mods'>, titles: ModTitles) {
	const names = mods.flatMap((id) => [id, titles[id] ?? id]).map((name) => name.toLowerCase());
	const isWhole = (line: string, name: string) => {
		const at = line.indexOf(name);
		const around = [line[at - 1], line[at + name.length]];
		return at >= 0 && !around.some((one) => one && /[a-z0-9]/.test(one));
	};
	return lines.findLast((line) => names.some((name) => isWhole(line.toLowerCase(), name))) ?? null;
}

/** By the names that people know, as far as they were or are installed; the diagnosis knows ids and the names of jars. */
export const titlesIn = ({ mods, titles }: Pick<Crash, 'mods' | 'titles'>, installed: Mod[]) => ({
	...titles,
	...titlesOf(mods, installed)
});

/** The mods among them that the server would be started with again. */
export const enabledOf = (
	found: string[],
	installed: Mod[],
	{ updates, before }: { updates: ModUpdateState[]; before: Crash['before'] }
): Blame['mods'] =>
	found.flatMap((id) => {
		const mod = modOf(id, installed);
		if (!mod?.enabled) return [];
		const { fileName, name, locked, project } = mod;
		const update = updates.find((one) => one.fileName === fileName);
		const isTried = update?.failedHere != null;
		const newer = update && isOffered(update) && !isTried ? update.latest?.version : null;
		const crashedWith = before[id] !== mod.version ? before[id] : undefined;
		const known = { fileName, name, locked, newer: newer ?? null };
		return [
			{
				...known,
				...(project?.contentFree && { contentFree: true as const }),
				...(crashedWith && { crashedWith })
			}
		];
	});

/** The mods among those it names that it was running with. */
const accusedBy = ({ mods, at, report, line }: Crash, installed: Mod[]): Accused[] =>
	mods.flatMap((id) => {
		const mod = modOf(id, installed);
		if (!mod?.enabled) return [];
		const { modId, sha512, version } = mod;
		return [{ modId, sha512, version, at, report, line, off: false }];
	});

const contentOf = ({ fileName, size, sha512 }: Mod) => `${fileName} ${sha512 ?? size}`;
/** With what it is to be known by later. */
function withMods(crash: Crash, installed: Mod[]): Crash {
	const found = crash.mods.flatMap((id) => {
		const mod = modOf(id, installed);
		return mod ? [{ id, mod }] : [];
	});
	return {
		...crash,
		titles: titlesIn(crash, installed),
		files: Object.fromEntries(found.map(({ id, mod }) => [id, contentOf(mod)])),
		versions: Object.fromEntries(
			found.flatMap(({ id, mod }) => (mod.version ? [[id, mod.version]] : []))
		)
	};
}

/** What is known of it at once: all but its line in the log. */
export function crashWith(
	seen: Ended,
	{ files, installed, last }: { files: LogFile[]; installed: Mod[]; last: Crash | null }
): Crash {
	const crash = withMods(crashOf(seen, files), installed);
	return { ...crash, before: last ? crashedBefore(crash, last) : {} };
}

/** An older crash says nothing about what the newer version brought. */
const SAME_TROUBLE_MS = 7 * 24 * 3_600_000;

/** Which other versions of the same mods had crashed: neither an update nor the way back has helped. */
function crashedBefore(crash: Crash, last: Crash): Crash['before'] {
	if (Date.parse(crash.at) - Date.parse(last.at) > SAME_TROUBLE_MS) return {};
	// A mod may be named by its file, which another version has another name for.
	const sameMod = (id: string) => (old: string) =>
		old === id || (crash.titles[id] !== undefined && last.titles[old] === crash.titles[id]);
	return Object.fromEntries(
		crash.mods.flatMap((id) => {
			const old = last.mods.find(sameMod(id));
			const version = old && last.versions[old];
			if (!old || !version) return [];
			const other = version !== crash.versions[id] ? version : last.before[old];
			return other ? [[id, other]] : [];
		})
	);
}

/** The named mods whose files are still those that crashed. */
export const sameSince = ({ mods, files }: Pick<Crash, 'mods' | 'files'>, installed: Mod[]) =>
	mods.filter((id) => {
		const mod = modOf(id, installed);
		return mod && (!files[id] || files[id] === contentOf(mod));
	});

const FATES = { disabled: 'disabled', removed: 'removed', changed: 'replaced' } as const;

/** What became of a mod that it names; null while the server would be started with the same file. */
function fateOf(id: string, { titles, files }: Crash, installed: Mod[]) {
	const mod = modOf(id, installed);
	if (mod && !mod.enabled) return 'disabled';
	if (mod) return files[id] && files[id] !== contentOf(mod) ? 'changed' : null;
	const title = titles[id];
	// What was never a mod of its own is not missed.
	if (!title) return 'unknown';
	const other = installed.find(({ name }) => name === title);
	return other ? (other.enabled ? 'changed' : 'disabled') : 'removed';
}

/** That something was done about every mod that it names: "Lithium has been disabled since."; null otherwise. */
export function mendedBy(crash: Crash, titles: ModTitles, installed: Mod[]): string | null {
	const fates = crash.mods.map((id) => [id, fateOf(id, { ...crash, titles }, installed)] as const);
	if (fates.some(([, fate]) => fate === null)) return null;
	const said = Object.entries(FATES).flatMap(([fate, done]) => {
		const named = fates.flatMap(([id, one]) => (one === fate ? (titles[id] ?? id) : []));
		if (!named.length) return [];
		return `${listed(named)} ${named.length > 1 ? 'have' : 'has'} been ${done} since.`;
	});
	return said.join(' ') || null;
}

type Named = Blame['mods'];
const namesOf = (mods: Named) => listed(mods.map(({ name }) => name));
const newerThere = (mods: Named) =>
	`${listed(mods.map(({ name, newer }) => `${name} ${newer!.replace(/\+.*$/, '')}`))} ${mods.length > 1 ? 'are' : 'is'} out: an update may help.`;
/** What is not in the registry has none either, as far as anybody here can know. */
const noneThere = (mods: Named) =>
	`No newer version of ${namesOf(mods)} is known: disable ${mods.length > 1 ? 'them' : 'it'} until there is one.`;

/** What helps, where the advice to update what it names leads nowhere by now. */
export function adviceNow(
	{ advice, remedy }: Pick<Crash, 'advice' | 'remedy'>,
	{ mods }: Pick<Blame, 'mods'>,
	updates: ModUpdateState[] | null
): string | null {
	const again = mods.filter(({ crashedWith }) => crashedWith);
	if (again.length) {
		const also = again.map(({ name, crashedWith }) =>
			mods.length > 1
				? `${name} crashed with ${crashedWith} too.`
				: `It crashed with ${crashedWith} too.`
		);
		return `Disable ${listed(again.map(({ name }) => name))}. ${also.join(' ')}`;
	}
	if (!mods.length || remedy !== 'update') return advice;
	if (!updates) return `Disable ${namesOf(mods)}: whether a newer version is out is not known now.`;
	const [out, none] = [mods.filter(({ newer }) => newer), mods.filter(({ newer }) => !newer)];
	if (out.length)
		return [newerThere(out), none.length && noneThere(none)].filter(Boolean).join(' ');
	const tried = mods.flatMap(({ fileName }) =>
		updates.filter((one) => one.fileName === fileName && one.failedHere && one.latest)
	);
	const what = listed(mods.map(({ name }) => name));
	const [first] = tried;
	if (mods.length > 1 || !first) return tried.length ? `Disable ${what}.` : noneThere(mods);
	return `Disable ${what}: version ${first.latest!.version} ${failedHow(first.failedHere!)} here either.`;
}

const FAULTS: Record<string, string> = {
	eula: 'Nobody: the EULA was not accepted',
	port: 'Another program on the same port',
	'java-version': 'The Java of this machine',
	'java-missing': 'Java is missing on this machine',
	mods: 'The mods do not fit together',
	memory: 'Too little memory',
	watchdog: 'A tick took too long; what held it up is in the log',
	'world-locked': 'Another program has the world open'
};

/** Who is to blame, as far as is known. */
export function faultOf({
	code,
	mods,
	remedy
}: Pick<Crash, 'code' | 'mods' | 'remedy'>): CrashCard['fault'] {
	if (remedy === 'start') return 'Whoever ended it, or too little memory';
	const named = mods.length ? mods.join(', ') : null;
	if (code === 'mods' && named) return named;
	return FAULTS[code ?? ''] ?? (named ? `Probably ${named}` : 'Not known');
}

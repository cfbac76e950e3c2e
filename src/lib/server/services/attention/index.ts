import { z } from 'zod';
import { listed } from '#schemas/plain/words/listed';
import {
	HARDLY_ENDS,
	killAdvice,
	killLabel,
	notEndingAdvice,
	toKiller
} from '#schemas/plain/words/kill-words';
import { mayChangeMods, takesMods } from '#schemas/plain/of-mods';
import { OperationId, type Operation, type OperationKind } from '#schemas/operation';
import {
	ATTENTION_CODES,
	type Attention,
	type AttentionReport,
	type Blame,
	type CrashOfMods,
	type DisabledAfterCrash
} from '#schemas/overview/attention';
import type { Role } from '#schemas/common';
import type { Mod } from '#schemas/mod';
import { withTitles } from '#schemas/plain/mod-titles';
import { sentenceCase } from '#schemas/plain/words/sentence-case';
import type { Actor, RecordAction } from '#core/actor';
import type { Clock } from '#core/clock';
import { createOutage } from '#core/log';
import { isComing } from '#core/ttl-cache';
import type { Installation } from '#minecraft/folder';
import type { RuntimeState } from '#runtime';
import { UNSEEN, type Observation } from '#operations';
import { disabledIn } from './accused.ts';
import { blameIn, blameOf, cardOf, nowIn, type CardDeps } from './card.ts';
import { adviceNow, sameSince, titlesIn } from './crash.ts';
import {
	backupItems,
	channelItems,
	engineItems,
	link,
	CHECK_AGAIN,
	damagedJars,
	hasNewer,
	help,
	machineItems,
	modItems,
	failedChanges,
	operationItems,
	slowItems,
	withoutCulprits,
	restOf,
	slowStart,
	updateItems,
	updatesOffered,
	type Channel,
	type FailedChange,
	type Item,
	type Slow,
	type Sources
} from './sources.ts';
import { SEEN_MAX, type AttentionFile, type AttentionState } from './state.ts';

export { createCrashRecord } from './crash.ts';
export { type Machine, type Sources } from './sources.ts';
export { ATTENTION_DEFAULTS, ATTENTION_VERSION, AttentionState } from './state.ts';

/** What needs a person. */
export interface AttentionService {
	/** The most urgent first; nothing secret. Fast: slow checks are answered from what was found a moment ago. */
	report(viewer: Role): Promise<AttentionReport>;
	/** What is wrong with the jars that the server would be started with, in sentences; empty when nothing is known. */
	damagedJars(): Promise<string[]>;
	/** What can be done about mods that were named at this time. */
	blame(named: string[], at: string): Promise<Blame>;
	/** The mods that the last crash names, with what it was; null once the server came up well. */
	blamed(): Promise<CrashOfMods | null>;
	/** Mods that were disabled after a crash that named them, and still are. */
	disabledAfterCrash(): Promise<DisabledAfterCrash[]>;
	/** Somebody has looked at it. */
	see(key: string, by: Actor): Promise<void>;
}

type Deps = Sources &
	CardDeps & {
		state: AttentionFile;
		installation: () => Promise<Installation>;
		observe: () => Promise<Observation>;
		/** What runs right now. */
		changing: () => { id: string; kind: OperationKind }[];
		/** What an operation was begun with. */
		asked: (id: string) => Promise<unknown>;
		/** Something answers at the server's address, and its process is not seen. */
		unseen: () => Promise<boolean>;
		/** What the first run has not done yet; superadmins are guided through it on the same page. */
		missing: () => Promise<string[]>;
		/** What runs the server. */
		engine: () => Promise<Pick<RuntimeState, 'graceMs' | 'undoneBy'>>;
		/** Why the game must not open its world; null when it may. */
		worldRefusal: () => Promise<string | null>;
		asRoot: boolean;
		demo: boolean;
		/** What cannot be written at the moment, such as `the audit log`. */
		unwritten: () => Unwritten[];
		/** What backups have to report. */
		concerns: () => Promise<Pick<Attention, 'code' | 'title' | 'detail' | 'advice' | 'since'>[]>;
		/** Who should be told what happens, and is not. */
		brokenChannels: () => Promise<Channel[]>;
		/** How slow the server runs; null while it does not. */
		slow: () => Slow | null;
		/** Since when the game refuses our password. */
		rconRefused: () => { at: string; message: string } | null;
		audit: RecordAction;
		log: { error(message: string, facts: { cause: unknown }): void };
		clock: Clock;
	};

/** `lost`: the number of entries lost. */
export type Unwritten = { what: string; lost: number; why: string };

/** The steps are the same from the first silence on; only whether it is time for them differs. */
const hangingAdvice = (viewer: Role) =>
	viewer === 'superadmin'
		? 'Restart the server. That tells it to stop first, which a server that is stuck seldom does: you can have it killed then, and what the game has not saved is lost.'
		: `Restart the server. That tells it to stop first, which a server that is stuck seldom does. ${notEndingAdvice(false)}`;
/** A pause must not get a server killed. */
const silentAdvice = (viewer: Role) =>
	`A short pause, such as a large save, is over within two minutes. If it lasts longer, ${lower(hangingAdvice(viewer))}`;
/** The same as its operation says, and as its buttons offer. */
const lateAdvice = (viewer: Role) =>
	`The end of its log says what it is waiting for. Give it more time, or stop it if nothing more is written; ${lower(notEndingAdvice(viewer === 'superadmin'))}`;
/** What the advice before it says, and as long as no large save takes: then it is killed. */
const ENDS_MS = 2 * 60_000;
/** A restart cannot be called off once the server was told to stop. */
const KEPT_DOWN = 'It is started again then: if it is to stay down, stop it once it is up.';
const msBetween = (from: string, to: string) => Date.parse(to) - Date.parse(from);
const lower = (words: string) => words[0]!.toLowerCase() + words.slice(1);
const WORLD_ADVICE: Record<Role, string> = {
	admin: 'The server will not start until this is fixed. A superadmin can start it anyway, once.',
	superadmin:
		'The server will not start until this is fixed. To start it anyway, once, make a backup first.'
};
/** Nothing says since when, and when somebody first looked says nothing: these have no time then. */
const LASTING: Attention['code'][] = ['root', 'unseen', 'backup-old'];

const UNSEEN_ITEM: Item = {
	code: 'unseen',
	title: 'The server runs where the dashboard cannot see it',
	detail: `${UNSEEN} So it can be neither stopped nor updated from here.`,
	advice: 'Stop it where it was started, then start it here.',
	instead: {
		whenever: 'If something else is meant to keep running it',
		ways: [
			{
				what: 'A systemd unit, under its own name:',
				lines: ['RUNTIME=systemd', 'SYSTEMD_UNIT=minecraft.service']
			},
			{
				what: 'A container whose command is the keeper:',
				lines: ['RUNTIME=keeper', 'KEEPER_DIR=/run/craftwarden']
			}
		],
		then: 'Put the lines into .env in the Craftwarden folder, then restart Craftwarden. The file docs/deploy.md there shows both ways.'
	}
};

export function createAttention(deps: Deps): AttentionService {
	const { state, installation, observe, clock, log, audit } = deps;
	const outage = createOutage({
		begins: (facts) => log.error('attention.json could not be written', facts),
		ends: () => {}
	});

	async function report(viewer: Role): Promise<AttentionReport> {
		const [now, found, kept] = await Promise.all([observe(), installation(), state.read()]);
		const seen = new Set(kept.seen);
		const asked = await askAll(deps, viewer, seen);
		const dies = await isToBeKilled(deps);
		const all: Item[] = [
			...((await deps.unseen()) ? [UNSEEN_ITEM] : ofServer(now, viewer, { ...deps, dies })),
			...ofWorld(await deps.worldRefusal(), viewer),
			...notWritten(deps.unwritten()),
			...(await deps.concerns()).map(withLink),
			...engineItems(await deps.engine()),
			...(viewer === 'superadmin' ? channelItems(await deps.brokenChannels()) : []),
			...asked.items(clock.now(), now),
			...(now.state === 'running'
				? slowItems(deps.slow(), {
						modded: takesMods(found.loader),
						now: clock.now()
					})
				: []),
			...(await ofSetup(viewer, found, deps))
		];
		const isHeldBack = heldBack(deps);
		const items = all.filter((one) => !isHeldBack(one));
		const at = clock.now().toISOString();
		const { card, pending } = await cardOf(
			kept.crash,
			{ now, seen, at, isChanging: () => changesMods(deps) },
			deps
		);
		return {
			items: await dated(items, kept, asked.unasked.length === 0),
			crash: card,
			unasked: asked.unasked,
			pending: asked.pending || pending,
			...(items.length < all.length && { heldBack: true as const })
		};
	}

	/** Each with when it began; an entry without a time is dated by when it was first found, unless it was so all along. */
	async function dated(items: Item[], { since }: AttentionState, isAll: boolean) {
		const at = clock.now().toISOString();
		const undated = items.filter(({ since, code }) => !since && !LASTING.includes(code));
		const next = Object.fromEntries([
			...(isAll ? [] : Object.entries(since)),
			...undated.map(({ code }) => [code, since[code] ?? at] as const)
		]);
		if (JSON.stringify(sorted(next)) !== JSON.stringify(sorted(since)))
			void state.update((old) => ({ ...old, since: next })).then(outage.worked, outage.failed);
		return items
			.map((one): Attention => ({
				advice: null,
				action: CHECK_AGAIN,
				further: [],
				key: one.code,
				...one,
				since: one.since ?? next[one.code] ?? null,
				...(undated.includes(one) && { noticed: true as const })
			}))
			.sort((a, b) => urgency(a) - urgency(b));
	}

	return {
		report,
		async damagedJars() {
			const { value } = await deps.mods();
			return value ? damagedJars(value) : [];
		},
		async blame(named, at) {
			const { crash } = await state.read();
			return blameOf({ mods: named, at, before: crash?.before ?? {} }, deps);
		},
		async blamed() {
			const [{ state: now }, { crash }] = await Promise.all([observe(), state.read()]);
			if (!crash || crash.isOver || now === 'running') return null;
			const [known, change] = await Promise.all([nowIn(deps), deps.lastChange()]);
			const { installed, updates } = known;
			const same = sameSince(crash, installed ?? []);
			const blame = blameIn({ ...crash, mods: same }, known, change);
			if (!blame.mods.length) return null;
			const titles = titlesIn(crash, installed ?? []);
			const advice = crash.advice && withTitles(crash.advice, titles);
			return {
				...blame,
				message: withTitles(crash.message, titles),
				advice: adviceNow({ ...crash, advice }, blame, updates)
			};
		},
		async disabledAfterCrash() {
			const { accused } = await state.read();
			return accused.length ? disabledIn(accused, (await nowIn(deps)).installed ?? []) : [];
		},
		async see(key, by) {
			let isNew = false;
			await state.update((old) => {
				isNew = !old.seen.includes(key);
				return isNew ? { ...old, seen: [key, ...old.seen].slice(0, SEEN_MAX) } : old;
			});
			if (isNew) await audit(by, 'attention.seen', { subject: key });
		}
	};
}

const sorted = (record: Record<string, string>) => Object.entries(record).sort();
const urgency = ({ code }: Attention) => ATTENTION_CODES.indexOf(code);

const WORDS: Record<keyof Sources, string> = {
	mods: 'whether the mods are in order',
	updates: 'whether updates are waiting',
	backups: 'whether there is a good backup',
	operations: 'how the last operations ended',
	machine: 'whether there is room on the disks'
};

const changesMods = ({ changing }: Pick<Deps, 'changing'>) =>
	changing().some(({ kind }) => mayChangeMods(kind));

/** What may be dealt with by what is under way, even while that only counts down: it is told when that has ended. */
function heldBack(deps: Pick<Deps, 'changing'>) {
	const isChanging = changesMods(deps);
	const isBackingUp = deps.changing().some(({ kind }) => kind === 'backup');
	return ({ code }: Item) =>
		code === 'backup-old' ? isBackingUp : isChanging && code === 'updates';
}

/** Every source, and which of them could not answer. */
async function askAll(
	deps: Sources & Pick<Deps, 'asked' | 'changing'>,
	viewer: Role,
	seen: ReadonlySet<string>
) {
	const [mods, updates, backups, operations, machine] = await Promise.all([
		deps.mods(),
		deps.updates(),
		deps.backups(),
		deps.operations(),
		deps.machine()
	]);
	const all = { mods, updates, backups, operations, machine };
	const isNewer = hasNewer(mods.value ?? [], updates.value?.mods ?? []);
	const installed = mods.value ?? [];
	const failed = await lookedInto(failedChanges(operations.value ?? [], seen), {
		...{ operations: operations.value ?? [], installed, viewer, asked: deps.asked }
	});
	const unknown = Object.entries(all).filter(([, { value }]) => value === null);
	return {
		unasked: unknown.map(([name, { problem }]) => {
			const source = name as keyof Sources;
			return { source, what: WORDS[source], why: problem };
		}),
		pending: Object.values(all).some(isComing),
		items: (now: Date, server: Observation): Item[] => [
			...(operations.value && server.state === 'starting' && !server.hanging
				? slowStart(operations.value, server)
				: []),
			...(mods.value ? modItems(mods.value) : []),
			...(updates.value
				? updateItems(updates.value, {
						told: updatesOffered(failed, { isNewer }),
						isSearched: deps.changing().some(({ kind }) => kind === 'culprit')
					})
				: []),
			...(backups.value ? backupItems(backups.value, machine.value, now) : []),
			...(operations.value
				? operationItems(operations.value, failed, {
						...{ viewer, isNewer, server, now, backups: backups.value, installed },
						isChanging: changesMods(deps)
					})
				: []),
			...(machine.value ? machineItems(machine.value) : [])
		]
	};
}

/** Each with what belongs to it: another change may have failed since, and been searched. */
async function lookedInto(
	changes: Operation[],
	facts: { operations: Operation[]; installed: Mod[]; viewer: Role } & Pick<Deps, 'asked'>
): Promise<FailedChange[]> {
	if (!changes.length) return [];
	const { operations, installed, viewer, asked } = facts;
	const oldest = changes.at(-1)!;
	const searches = await Promise.all(
		operations
			.filter(({ kind, id }) => kind === 'culprit' && id > oldest.id)
			.map(async (search) => ({ search, of: searchedChange(await asked(search.id)) }))
	);
	return Promise.all(
		changes.map(async (change) => {
			const search = searches.find(({ of }) => of === change.id)?.search;
			return {
				...{ change, search, rest: restOf(change, search, { operations, installed }) },
				// Only they may upgrade.
				without:
					viewer === 'superadmin' && change.kind === 'upgrade'
						? withoutCulprits(change, await asked(change.id), installed)
						: null
			};
		})
	);
}

const Searched = z.object({ operationId: OperationId });
/** Null where it was all mods. */
const searchedChange = (input: unknown) => Searched.safeParse(input).data?.operationId ?? null;

const RESTART = help('Restart', '/admin/confirm?do=restart');
const LOOK = link('Look at the log', '/admin/logs');

type Changing = Pick<Deps, 'changing' | 'clock'> & {
	/** The restart that is under way kills it in the end. */
	dies: boolean;
};

/** What would be advised is under way. */
const isBeingEnded = ({ changing }: Pick<Deps, 'changing'>) =>
	changing().some(({ kind }) => kind === 'restart' || kind === 'stop');

const isRestarting = ({ changing }: Pick<Deps, 'changing'>) =>
	changing().some(({ kind }) => kind === 'restart');

const Killing = z.object({ kill: z.literal(true) });
/** That was asked for with the restart that is under way. */
async function isToBeKilled({ changing, asked }: Pick<Deps, 'changing' | 'asked'>) {
	const restart = changing().find(({ kind }) => kind === 'restart');
	return restart !== undefined && Killing.safeParse(await asked(restart.id)).success;
}

/** It has answered nothing for so long that no large save explains it, or it does not answer and is to end. */
function ofHanging(seen: Observation, viewer: Role, deps: Changing): Item | null {
	const { state, hanging, silentSince, run, reason, toldAt } = seen;
	const now = deps.clock.now().toISOString();
	const hasTime = !toldAt || msBetween(toldAt, now) < ENDS_MS;
	if (!hanging) return state === 'stopping' && !hasTime ? ofLateStop(toldAt, viewer, deps) : null;
	if (state === 'starting')
		return {
			code: 'slow-start',
			// For how long follows.
			title: 'The server has been loading',
			detail: reason ?? '',
			advice: lateAdvice(viewer),
			action: help('Look at the log', '/admin/logs'),
			...(run && { since: run.startedAt })
		};
	const facts = {
		code: 'hanging',
		// For how long follows.
		title: 'The server has not answered',
		action: LOOK,
		...(silentSince && { since: silentSince })
	} as const;
	if (deps.dies)
		return {
			...facts,
			detail: HARDLY_ENDS,
			advice:
				'As requested, the restart kills it if it has not ended within a minute, and then starts it again.'
		};
	const begun = deps.changing();
	const isToEnd = state === 'stopping' || begun.length > 0;
	const startsAgain = isRestarting(deps);
	const label = killLabel(startsAgain);
	const toKill = {
		advice: `${sentenceCase(killAdvice(viewer === 'superadmin'))}${startsAgain ? ` ${KEPT_DOWN}` : ''}`,
		...(viewer === 'superadmin'
			? {
					action: { ...help(label, '/admin/confirm?do=kill'), danger: true as const },
					further: [LOOK]
				}
			: { action: LOOK })
	};
	if (isToEnd && !hasTime)
		return {
			code: 'hanging',
			// For how long follows.
			title: 'The server was told to stop, and has not ended',
			detail: 'It was told to stop when it had already stopped answering.',
			since: toldAt,
			...toKill
		};
	const isEnding = state === 'stopping' || isBeingEnded(deps);
	// What hung before it was told to stop is not waited for once more.
	if (isEnding && silentSince && msBetween(silentSince, toldAt ?? now) >= ENDS_MS)
		return { ...facts, detail: HARDLY_ENDS, ...toKill };
	if (isEnding)
		return {
			...facts,
			detail: 'It was told to stop when it had already stopped answering.',
			advice: notEndingAdvice(viewer === 'superadmin')
		};
	return {
		...facts,
		detail: 'It is probably stuck: even a large save ends sooner.',
		advice: hangingAdvice(viewer),
		// What is under way comes before it.
		...(!begun.length && { action: RESTART, further: [LOOK] })
	};
}

/** It may be saving for all that is known: its log tells, and comes before a kill. */
const ofLateStop = (since: string, viewer: Role, deps: Changing): Item => ({
	code: 'hanging',
	// For how long follows.
	title: 'The server was told to stop, and has not ended',
	detail: 'The end of its log says whether it is still saving.',
	since,
	advice: `If nothing more is written there, ${killAdvice(viewer === 'superadmin')}`,
	action: LOOK,
	...(viewer === 'superadmin' && {
		further: [
			{ ...help(killLabel(isRestarting(deps)), '/admin/confirm?do=kill'), danger: true as const }
		]
	})
});

/** A crash has a card of its own. */
function ofServer(
	seen: Observation,
	viewer: Role,
	deps: Changing & Pick<Deps, 'rconRefused'>
): Item[] {
	const { state, reason } = seen;
	const refused = state === 'running' || state === 'unknown' ? deps.rconRefused() : null;
	const items: Item[] = [];
	const hanging = ofHanging(seen, viewer, deps);
	if (hanging) items.push(hanging);
	else if (state === 'unknown')
		items.push({
			code: 'unknown',
			title: 'The server does not answer',
			detail: reason
				? toKiller(reason, viewer === 'superadmin')
				: 'The dashboard could not determine why.',
			advice: isBeingEnded(deps) ? notEndingAdvice(viewer === 'superadmin') : silentAdvice(viewer),
			action: LOOK
		});
	if (refused)
		items.push({
			code: 'rcon-refused',
			title: 'The game refuses the dashboard’s commands',
			detail: refused.message,
			since: refused.at,
			advice:
				'Until then players cannot be managed, chat and the console send nothing, and backups cannot pause saving.',
			...(!isBeingEnded(deps) && {
				action: help('Restart the server', '/admin/confirm?do=restart')
			})
		});
	return items;
}

function ofWorld(refusal: string | null, viewer: Role): Item[] {
	if (!refusal) return [];
	return [
		{
			code: 'world',
			title: 'The world does not fit the game',
			detail: refusal,
			advice: WORLD_ADVICE[viewer],
			action: link('Look at the backups', '/admin/backups')
		}
	];
}

async function ofSetup(viewer: Role, found: Installation, deps: Deps): Promise<Item[]> {
	const items: Item[] = [];
	const open = viewer === 'superadmin' ? [] : await deps.missing();
	if (open.length)
		items.push({
			code: 'setup',
			title: 'Setting up the server is not finished',
			detail: `Still to do: ${open.join(', ')}.`,
			advice: 'A superadmin can do this on the overview.'
		});
	// Without a command, this is what the first run is about.
	if (found.problem && found.command)
		items.push({
			code: 'folder',
			title: 'The server folder has a problem',
			detail: found.problem
		});
	if (deps.asRoot && !deps.demo)
		items.push({
			code: 'root',
			title: 'The dashboard runs as root',
			detail: 'Anyone who breaks into it, or into a mod, controls the whole machine.',
			advice:
				'Run it as the user that owns the server folder: set User= in its unit, as “Run it as a service” in README.md shows, then restart it.'
		});
	return items;
}

function notWritten(lost: Unwritten[]): Item[] {
	if (!lost.length) return [];
	const what = listed(lost.map(({ what }) => what));
	const entries = lost.reduce((sum, one) => sum + one.lost, 0);
	return [
		{
			code: 'not-written',
			title: 'What happens is not recorded',
			detail: `New entries of ${what} cannot be written: ${lost[0]!.why}. So far ${entries} ${entries === 1 ? 'is' : 'are'} lost.`,
			advice: 'Make room on the disk of the data directory, and check that it is writable.'
		}
	];
}

const withLink = (concern: Item): Item => ({
	...concern,
	action: link('Look at the backups', '/admin/backups')
});

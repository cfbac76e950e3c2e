import { access, constants, stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import path from 'node:path';
import type { Bus } from '#core/bus';
import type { Clock } from '#core/clock';
import { deadline } from '#core/deadline';
import { AppError } from '#core/errors';
import { disksOf } from '#core/files';
import type { Logger, Outage } from '#core/log';
import { createKeptAnswer, createTtlCache } from '#core/ttl-cache';
import type { ServerConfig } from '#env';
import type { ChatMessage } from '#schemas/chat';
import { LATEST_LOG } from '#schemas/plain/limits';
import type { Role } from '#schemas/common';
import type { Status } from '#schemas/status';
import type { OnlinePlayer } from '#schemas/live';
import { withVerb } from '#schemas/plain/words/needed';
import type { Operation, OperationKind } from '#schemas/operation';
import { changesMods, mayChangeMods } from '#schemas/plain/of-mods';
import { isOffered } from '#schemas/plain/offered';
import { restoreAddress } from '#schemas/plain/restore-address';
import { taskKind } from '#schemas/task';
import type { AppEvent } from '../events.ts';
import { underWay, type Operations } from '#operations';
import { RECENT_MS, type Game } from './game.ts';
import type { wireOnDemand } from './on-demand.ts';
import {
	ATTENTION_DEFAULTS,
	ATTENTION_VERSION,
	AttentionState,
	createAttention,
	createCrashRecord,
	type Machine,
	type Unwritten
} from '#services/attention';
import type { Analytics } from '#services/analytics';
import type { Audit } from '#services/audit';
import { createOverview, createTour } from '#services/overview';
import type { Logs } from '#services/logs';
import type { Notifications } from '#services/notifications';
import type { Power } from '#services/power';
import type { Schedules } from '#services/schedule';
import { createFirstRun, type Setup } from '#services/setup';
import type { SoftwareService } from '#services/software';
import type { Upgrades as UpgradesService } from '#services/upgrades';
import { createStateFile } from '#storage/state-file';

type Needs = {
	clock: Clock;
	log: Logger;
	bus: Bus<AppEvent>;
	audit: Audit;
	measures: Pick<Analytics, 'outage' | 'slow'>;
	game: Game;
	power: Power;
	operations: Operations;
	setup: Setup;
	software: Pick<SoftwareService, 'occupied' | 'refusal'>;
	onDemand: Pick<ReturnType<typeof wireOnDemand>, 'mods' | 'backups' | 'snapshots'>;
	schedule: Pick<Schedules, 'tasks'>;
	notifications: Pick<Notifications, 'broken'>;
	chat: { list: (limit: number, viewer: Role) => Promise<ChatMessage[]> };
	online: () => OnlinePlayer[];
	logs: Logs['read'];
	/** The servers that upgrades have put aside. */
	kept: UpgradesService['kept'];
	status: () => Promise<Status>;
	environment: NodeJS.ProcessEnv;
};

/** A page waits no longer for anything: what is late is shown the next time. */
const WAIT_MS = 150;
/** For what must be of the folder as it is: what a crash says about its mods. */
const SOON_MS = 2000;
const SECOND_MS = 1000;
/** Nobody may have looked for a night. */
const OLD_MS = 300 * SECOND_MS;
/** What a server says while it ends after an error. */
const LAST_LINES = 50;
/** The newest operations, among which the last of each kind is looked up. */
const OPERATIONS_READ = 50;

/** The overview: what needs attention, and what is shown beside the state. */
export function wireOverview(config: ServerConfig, needs: Needs) {
	const { clock, log, bus, audit, measures, game, power, operations, setup, onDemand, software } =
		needs;
	const observe = createTtlCache(power.observe, RECENT_MS, clock);
	const firstRun = createFirstRun({
		installation: game.recently,
		observe,
		rconLast: game.rconLast,
		occupied: async () => software.refusal ?? software.occupied(),
		setup,
		serverDir: config.serverDir
	});
	const kept = keptAnswers(config, needs);
	const state = createStateFile({
		...{ file: path.join(config.dataDir, 'attention.json'), schema: AttentionState },
		...{ version: ATTENTION_VERSION, defaults: ATTENTION_DEFAULTS, warn: log.warn }
	});
	const noted =
		<T>(note: (trouble: T) => Promise<void>) =>
		(trouble: T) =>
			note(trouble).catch((cause) =>
				log.error('What came of a run could not be noted at its operation', { cause })
			);
	const crashes = createCrashRecord({
		...{ state, clock },
		observe: power.observe,
		running: operations.busy,
		operations: operations.list,
		note: { crashed: noted(operations.crashed), hung: noted(operations.hung) },
		files: async () => (await listLogs(config)).files,
		// It is noted all the same when its log cannot be read.
		lastLines: () =>
			needs.logs({ file: LATEST_LOG, lines: LAST_LINES, q: '', level: [] }, 'superadmin').then(
				({ entries }) => entries,
				() => []
			),
		// Whoever waits for it is no page, and later they may be gone.
		mods: async () => {
			const installed = await onDemand.mods.list().catch(() => null);
			return { value: installed?.mods ?? null, problem: null };
		}
	});
	const lookForCrash = () =>
		void crashes
			.look()
			.catch((cause) => log.error('A crash could not be noted for the overview', { cause }));

	bus.subscribe((event) => {
		if (event.type === 'server-changed') {
			observe.forget();
			// A crash has a report of its own.
			kept.logFiles.outdate();
		}
		if (event.type === 'mods-changed') for (const one of kept.ofMods) one.outdate();
		const hasEnded = event.type === 'operation' && event.summary.state !== 'running';
		if (event.type === 'backups-changed') kept.sources.backups.outdate();
		if (event.type === 'audited' && event.entry.action.startsWith('task.')) kept.tasks.outdate();
		if (hasEnded || event.type === 'operation-noted' || event.type === 'backup-damaged')
			for (const one of kept.ofOperations) one.outdate();
		if (hasEnded || event.type === 'server-changed') lookForCrash();
	});

	const worldCheck = createTtlCache(game.checkWorld, RECENT_MS, clock);
	const attention = createAttention({
		...{ state, observe, clock, log },
		changing: () => underWay(operations),
		atOnce: {
			mods: () => soon(onDemand.mods.here(), clock),
			// What is known here stands with the folder: only the registry may keep it waiting.
			updates: () => soon(onDemand.mods.updates(false), clock)
		},
		asked: operations.input,
		unseen: async () => {
			const { state, online } = await needs.status();
			return state === 'unknown' && online;
		},
		installation: game.recently,
		missing: firstRun.open,
		engine: game.runtime.state,
		worldRefusal: async () => (await worldCheck()).refusal,
		asRoot: process.getuid?.() === 0,
		demo: config.demo,
		unwritten: () => unwrittenNow(audit.outage, measures.outage),
		concerns: onDemand.backups.concerns,
		brokenChannels: needs.notifications.broken,
		rconRefused: game.rconRefused,
		slow: () => measures.slow(),
		...kept.sources,
		logFiles: kept.logFiles,
		lastChange: kept.lastChange,
		audit: audit.record
	});
	const overview = createOverview({
		...kept.sources,
		...{ online: needs.online, tasks: kept.tasks },
		chat: needs.chat.list,
		labelOf: (type) => taskKind(type).label
	});
	const tour = config.demo
		? createTour({
				operations: operations.list,
				offered: async () =>
					(await kept.sources.updates()).value?.mods.filter(isOffered).length ?? null
			})
		: null;
	return { firstRun, attention, overview, tour, lookForCrash };
}

/** Null when it is late, or cannot be told. */
const soon = <T>(answer: Promise<T>, clock: Clock): Promise<T | null> =>
	deadline(
		{ ms: SOON_MS, clock },
		() => answer.catch(() => null),
		() => null
	);

function keptAnswers(config: ServerConfig, needs: Needs) {
	const { clock, log, operations, onDemand, game, environment } = needs;
	const keep = <T>(seconds: number, look: () => Promise<T>) =>
		createKeptAnswer(look, {
			...{ ttlMs: seconds * SECOND_MS, oldMs: OLD_MS, waitMs: WAIT_MS, clock },
			failed(cause) {
				if (cause instanceof AppError) return cause.message;
				log.error('A part of the overview could not be found out', { cause });
				return 'Something went wrong; the log says what.';
			}
		});
	const mods = keep(30, async () => (await onDemand.mods.list()).mods);
	const updates = keep(60, async () => {
		const found = await onDemand.mods.updates(false);
		const trouble = found.mods.find(({ error }) => error !== null)?.error;
		const isAsked = found.checkedAt !== null || found.mods.length === 0;
		if (isAsked || !(await game.recently()).loader) return found;
		// That it is not known is said where this is shown.
		throw new AppError(
			'upstream',
			trouble?.replace(/^It could not be looked up\. /, '') ?? 'The registry was not asked.'
		);
	});
	const backups = keep(30, () => onDemand.backups.list());
	const ended = keep(10, () => operations.list(OPERATIONS_READ));
	const machine = keep(10, () => lookAtMachine(config, game, environment));
	const tasks = keep(30, () => needs.schedule.tasks());
	const logFiles = keep(30, async () => (await listLogs(config)).files);
	const lastChange = keep(30, async () =>
		lastChangeOf(await operations.list(), onDemand, needs.kept)
	);
	return {
		sources: { mods, updates, backups, operations: ended, machine },
		...{ tasks, logFiles, lastChange },
		ofMods: [mods, updates],
		ofOperations: [mods, updates, backups, ended, lastChange]
	};
}

async function listLogs({ serverDir }: ServerConfig) {
	const { createLogFiles } = await import('#minecraft/log-files');
	return createLogFiles({ serverDir }).list();
}

/** What was done last to the mods, the world or the game, and how it is taken back. */
async function lastChangeOf(
	operations: Operation[],
	{ snapshots }: Needs['onDemand'],
	kept: Needs['kept']
) {
	const last = operations.find(({ kind, state }) => state === 'succeeded' && mayChangeMods(kind));
	if (!last) return 'none';
	const before = (await snapshots.list()).find(
		({ operationId, problem }) => operationId === last.id && !problem
	);
	const back = await backFrom(last, kept);
	return {
		title: `${verbOf(last.kind)} ${withVerb(last.kind, last.subject ?? 'mods', 'add')}`,
		at: last.finishedAt ?? last.startedAt,
		startedAt: last.startedAt,
		ofMods: changesMods(last),
		operationId: last.id,
		// The one from before an upgrade holds the mods without their game.
		snapshotId: GAMES.includes(last.kind) ? null : (before?.id ?? null),
		...(back && { back })
	};
}

const GAMES: OperationKind[] = ['upgrade', 'go-back'];
const verbOf = (kind: OperationKind) =>
	kind === 'go-back' ? 'Go back to' : `${kind[0]!.toUpperCase()}${kind.slice(1)}`;

async function backFrom({ id, kind, undo }: Operation, kept: Needs['kept']) {
	if (undo) return { label: 'Undo this restore', href: restoreAddress(undo) };
	if (kind !== 'upgrade') return null;
	const one = (await kept()).find(({ operationId, refusal }) => operationId === id && !refusal);
	return one && { label: `Go back to ${one.title}`, href: `/admin/server/back?kept=${id}` };
}

async function lookAtMachine(
	config: ServerConfig,
	{ recently }: Game,
	environment: NodeJS.ProcessEnv
): Promise<Machine> {
	const { command, worldDir } = await recently();
	const folders = [
		{ what: 'the server', dir: config.serverDir },
		{ what: 'the dashboard’s data', dir: config.dataDir },
		{ what: 'the backups', dir: config.backupDir }
	];
	const disks = await disksOf(folders.map(({ dir }) => dir));
	const whatIsIn = (dir: string) => folders.find((one) => one.dir === dir)!.what;
	const limit = process.constrainedMemory();
	return {
		disks: disks.map(({ dir, ...room }) => ({ what: whatIsIn(dir), ...room })),
		memory: {
			freeBytes: process.availableMemory(),
			totalBytes: limit > 0 ? Math.min(limit, totalmem()) : totalmem()
		},
		javaMissing: await javaMissing(command?.argv[0] ?? null, environment),
		worldSince: await stat(worldDir).then(
			({ birthtime }) => birthtime.toISOString(),
			() => null
		)
	};
}

/** What a script starts is unknown. */
async function javaMissing(
	program: string | null,
	{ PATH = '' }: NodeJS.ProcessEnv
): Promise<string | null> {
	if (program === null || !/(?:^|\/)java$/.test(program)) return null;
	const places = program.includes('/')
		? [program]
		: PATH.split(':').map((dir) => path.join(dir || '.', program));
	for (const place of places)
		if (
			await access(place, constants.X_OK).then(
				() => true,
				() => false
			)
		)
			return null;
	return program;
}

const unwrittenNow = (audit: Outage['now'], measures: Outage['now']): Unwritten[] => [
	...(audit ? [{ what: 'the audit log', ...audit }] : []),
	...(measures ? [{ what: 'the measurements', ...measures }] : [])
];

import type { KnownPlayer, PlayerDetail, Players, PlayerSession } from '#schemas/player';
import type { OnlinePlayer } from '#schemas/live';
import type { ServerState } from '#schemas/status';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Listed, PlayerFiles } from '#minecraft/lists';
import { whitelistEnabled, type FileDeps } from './list-membership.ts';
import type { BanNames } from './who-banned.ts';

export type OverviewDeps = FileDeps & {
	online: () => OnlinePlayer[] | Promise<OnlinePlayer[]>;
	/** Of whose leave the log does not tell, with when they joined. */
	joined: () => { name: string; since: string }[];
	/** When each player was last seen, ISO 8601 by id. */
	lastSeen: () => Promise<ReadonlyMap<string, string>>;
	/** When they played, by the server's logs, and when the logs end. */
	history: (player: { uuid: string; names: string[] }) => Promise<{
		sessions: PlayerSession[];
		lastAt: string | null;
		complete: boolean;
	}>;
	state: () => Promise<ServerState>;
	clock: Clock;
};
type WithNames = OverviewDeps & { banNames: BanNames };
type Seen = {
	files: PlayerFiles;
	online: OnlinePlayer[];
	joined: ReadonlyMap<string, string>;
	lastSeen: ReadonlyMap<string, string>;
};

export async function overview(deps: WithNames): Promise<Players> {
	const [seen, properties] = await Promise.all([look(deps), deps.properties()]);
	const { files, online } = seen;
	return {
		online,
		ops: files.ops.map(({ name, uuid, level }) => ({ name, uuid, level })),
		whitelist: { enabled: whitelistEnabled(properties), players: files.whitelist },
		bans: await deps.banNames.newest(files.bans),
		known: knownPlayers(seen, deps.clock),
		problems: [
			...files.problems,
			...(properties ? [] : ['server.properties cannot be read: the whitelist may be on or off.'])
		]
	};
}

async function look({ lists, online, joined, lastSeen }: OverviewDeps): Promise<Seen> {
	const [files, players, times] = await Promise.all([lists.read(), online(), lastSeen()]);
	const since = new Map(joined().map((one) => [one.name, one.since]));
	return { files, online: players, joined: since, lastSeen: times };
}

/** By id: one person may have several, and several players may have had one name. */
function knownPlayers({ files, online, joined, lastSeen }: Seen, clock: Clock): KnownPlayer[] {
	const known = new Map<string, KnownPlayer>();
	const listed = namesById(files);
	const now = clock.now().toISOString();
	const note = (uuid: string, given: string | null, lastSeenAt: string | null) => {
		const name = given ?? listed.get(uuid) ?? null;
		const joinedAt = name === null ? undefined : joined.get(name);
		known.set(uuid, { name, uuid, lastSeenAt, ...(joinedAt && { joinedAt }) });
	};
	for (const [uuid, at] of lastSeen) note(uuid, null, at);
	for (const { uuid, name } of files.cache)
		note(uuid, name === uuid ? null : name, lastSeen.get(uuid) ?? null);
	for (const { uuid, name } of online) if (uuid) note(uuid, name, now);
	return [...known.values()].sort(byLastSeen);
}

const byLastSeen = (a: KnownPlayer, b: KnownPlayer) =>
	later(a.lastSeenAt ?? '', b.lastSeenAt ?? '') || later(b.name ?? b.uuid, a.name ?? a.uuid);
/** The greater text first; for times in the same format that is the later one. */
const later = (a: string, b: string) => (a === b ? 0 : a < b ? 1 : -1);

function namesById({ cache, ops, whitelist, bans }: PlayerFiles): Map<string, string> {
	const all: Listed[] = [...bans, ...whitelist, ...ops, ...cache];
	return new Map(all.flatMap(({ uuid, name }) => (name === uuid ? [] : [[uuid, name]])));
}

/** `AppError('not-found')` when nothing on the server knows this id. */
export async function detail(deps: WithNames, uuid: string): Promise<PlayerDetail> {
	const seen = await look(deps);
	const { files, lastSeen } = seen;
	const is = (entry: Listed) => entry.uuid === uuid;
	const names = namesOf(seen, uuid);
	if (names.length === 0 && !lastSeen.has(uuid))
		throw new AppError('not-found', 'Nobody with this id is known on this server.');
	const [history, state] = await Promise.all([deps.history({ uuid, names }), deps.state()]);
	const sessions = history.sessions
		.map((session) => (isOver(state) ? ended(session, history.lastAt) : session))
		.toSorted((a, b) => later(timeOf(a), timeOf(b)));
	// The server is asked who plays now and then; its log has told of the leave by then.
	const online =
		seen.online.some((player) => player.uuid === uuid) && !hasJustLeft(sessions, deps.clock);
	const op = files.ops.find(is);
	const ban = files.bans.find(is);
	return {
		uuid,
		name: names[0] ?? null,
		names,
		online,
		op: op ? { level: op.level } : null,
		whitelisted: files.whitelist.some(is),
		ban: ban ? withoutName(await deps.banNames.named(ban)) : null,
		firstSeenAt: sessions.map(timeOf).at(-1) || null,
		lastSeenAt: online
			? deps.clock.now().toISOString()
			: (latest(sessions, history.lastAt) ?? lastSeen.get(uuid) ?? null),
		sessions,
		sessionsComplete: history.complete
	};
}

/** A server that is not running has no players. */
const isOver = (state: ServerState) =>
	state === 'stopped' || state === 'crashed' || state === 'starting';

/** A session still open at the end of the log ended unseen, at its last line at the latest. */
const ended = (session: PlayerSession, lastAt: string | null): PlayerSession =>
	session.end === 'online' ? { ...session, to: lastAt, end: 'crashed' } : session;

/** Longer than the server is not asked who plays. */
const JUST_MS = 60_000;
const hasJustLeft = ([newest]: PlayerSession[], clock: Clock) =>
	newest?.end === 'left' &&
	newest.to !== null &&
	clock.now().getTime() - Date.parse(newest.to) < JUST_MS;

const timeOf = ({ from, to }: PlayerSession) => from ?? to ?? '';

function namesOf({ files, online }: Seen, uuid: string): string[] {
	const all: { uuid: string | null; name: string }[] = [
		...online,
		...files.cache,
		...files.ops,
		...files.whitelist,
		...files.bans
	];
	return [...new Set(all.filter((entry) => entry.uuid === uuid).map(({ name }) => name))].filter(
		(name) => name !== uuid
	);
}

const withoutName = ({ name: _, uuid: __, ...ban }: Players['bans'][number]) => ban;

/** The date of a file is another one after the world was copied or restored: the logs know better, until `lastAt`. */
const latest = (sessions: PlayerSession[], lastAt: string | null): string | null =>
	sessions
		.map(({ from, to, end }) => to ?? (end === 'online' ? lastAt : null) ?? from)
		.filter((at) => at !== null)
		.sort()
		.at(-1) ?? null;

import { listed } from '#schemas/plain/words/listed';
import { noBackupIn } from '#schemas/plain/no-backup';
import type { OnlinePlayer } from '#schemas/live';
import type { Status } from '#schemas/status';
import type { Clock } from '#core/clock';
import type { TtlValue } from '#core/ttl-cache';
import type { PlayerList } from '#minecraft/commands';
import type { Installation } from '#minecraft/folder';
import { UNSEEN } from '#operations';
import {
	newRun,
	type Observed,
	type PlayersThere,
	type ProbeDeps,
	type Round,
	type Run
} from './probe.ts';
import { cleanLine, cleanLines, gameVersion, MOTD_MAX, NAME_MAX, type PlainText } from './text.ts';

const PLAYER_NAME_MAX = 48;
/** Keeps a status well below the limit on what may wait for one stream reader. */
const PLAYERS_MAX = 300;
const DEFAULT_PORT = 25565;
/** The name of a server that has none of its own yet. */
const NAMELESS = 'A Minecraft server';

export type Names = {
	/** SERVER_NAME and SERVER_ADDRESS. */
	server: string | null;
	address: string | null;
	/** The host of PUBLIC_URL. */
	page: string | null;
	/** The machine's host name; in a demo, which only that machine reaches, `localhost`. */
	host: string;
};
type Deps = Pick<ProbeDeps, 'parse' | 'clock'> & {
	names: Names;
	/** The game refuses our password. */
	rconRefused: () => boolean;
};

/** What anonymous visitors may see. */
export const publicView = ({
	hanging: _,
	silentSince: _since,
	noBackup: _why,
	...status
}: Status): Status => ({
	...status,
	players: { ...status.players, names: null },
	tps: null,
	reason: null
});

/** Writes the results of the round into the run, where they stay. */
export function noticeAnswers({ parse, clock }: Deps, run: Run, { pong, list, tick }: Round) {
	if (pong) {
		run.version = gameVersion(pong.version, parse.text) ?? run.version;
		run.motd = cleanLines(pong.motd, MOTD_MAX, parse.text) ?? run.motd;
	}
	run.max = count(list?.max) ?? count(pong?.max) ?? run.max;
	if (tick?.tps === null) run.tps.forget();
	else if (tick) run.tps.set(round1(tick.tps));
	if (list)
		run.list.set({ online: list.online, players: seenPlayers(parse.text, run, list, clock) });
}

function seenPlayers(
	text: PlainText,
	run: Run,
	list: PlayerList,
	clock: Clock
): OnlinePlayer[] | null {
	if (!list.players) return null;
	const last = run.list.get()?.players;
	const known = new Map(last?.map((player) => [player.name, player]));
	const since = last ? clock.now().toISOString() : null;
	const players = new Map<string, OnlinePlayer>();
	for (const { name, uuid } of list.players.slice(0, PLAYERS_MAX)) {
		const shown = cleanLine(name, PLAYER_NAME_MAX, text);
		if (!shown) continue;
		const earlier = known.get(shown);
		players.set(shown, { name: shown, uuid, since: earlier ? earlier.since : since });
	}
	return [...players.values()];
}

type Facts = {
	seen: Observed;
	installation: Installation;
	run: Run | null;
	round: Round | null;
	/** Something that is not ours answers where our server would. */
	foreign?: boolean;
};

export function compose(deps: Deps, { seen, installation, run, round, foreign }: Facts): Status {
	const { clock, parse, names } = deps;
	// Without a process that answers, only the files are used.
	const facts = run ?? newRun(null, installation, { text: parse.text, clock });
	const online = round !== null && round.via !== null;
	const recent = <T>(known: TtlValue<T>) => (online ? (known.get() ?? null) : null);
	const unseen = online && !seen.run;
	const answered = !unseen && online && (seen.state === 'starting' || seen.state === 'unknown');
	const state = unseen ? 'unknown' : answered ? 'running' : seen.state;
	const rcon = { on: installation.rcon.enabled, refused: deps.rconRefused() };
	const noBackup = state === 'running' ? noBackupIn(state, rcon) : null;
	return {
		name: names.server ?? firstLine(facts.motd) ?? NAMELESS,
		state,
		...(seen.hanging && !online && { hanging: true }),
		...(seen.silentSince && !online && { silentSince: seen.silentSince }),
		...(noBackup && { noBackup }),
		online,
		...address(names, installation),
		version: facts.version,
		software: facts.software,
		motd: facts.motd,
		players: { ...playersNow(round, recent(facts.list)), max: facts.max },
		tps: recent(facts.tps),
		latencyMs: round?.pong ? Math.round(round.pong.latencyMs) : null,
		via: round?.via ?? null,
		startedAt: seen.run?.startedAt ?? null,
		...(seen.lastRun && !unseen && { lastRun: seen.lastRun }),
		...(state === 'crashed' && seen.endedAt && { crashedAt: seen.endedAt }),
		checkedAt: clock.now().toISOString(),
		reason: unseen
			? UNSEEN
			: ((answered ? null : seen.reason) ??
				round?.trouble ??
				(foreign ? taken(installation) : silence(seen, installation, online)))
	};
}

const taken = ({ game }: Installation) =>
	`Something else answers on port ${game.port}. Give the server that you set up here another port, or end that one first.`;

/** A recent list stands in for one that has not come yet, unless the ping's count contradicts it. */
function playersNow(round: Round | null, kept: PlayersThere | null) {
	const counted = count(round?.pong?.online);
	const list = round?.list || counted === null || counted === kept?.online ? kept : null;
	return {
		online: count(list?.online) ?? counted,
		names: list?.players?.map(({ name }) => name) ?? (counted === 0 ? [] : null)
	};
}

function silence(seen: Observed, { game, rcon }: Installation, online: boolean): string | null {
	if (online || seen.state !== 'running') return null;
	const asked = [...(game.statusEnabled ? ['ping'] : []), ...(rcon.enabled ? ['RCON'] : [])];
	if (!asked.length)
		return 'The server cannot be asked anything: status and RCON are both off in server.properties.';
	return `It did not answer just now (${listed(asked)}). It is asked again.`;
}

/** Used when not even the process could be checked. */
export const unknownStatus = ({ names, clock }: Deps): Status => ({
	name: names.server ?? NAMELESS,
	state: 'unknown',
	online: false,
	...named(names),
	version: null,
	software: null,
	motd: null,
	players: { online: null, max: null, names: null },
	tps: null,
	latencyMs: null,
	via: null,
	startedAt: null,
	checkedAt: clock.now().toISOString(),
	reason: 'The dashboard could not find out: its own log says why.'
});

/** Nobody outside can join at these addresses: the machine's name is the better guess. */
const LOCAL = /^(|localhost|0\.0\.0\.0|127\.\d+\.\d+\.\d+|::1?)$/;

/** A name without a dot is known to the machine's own network at best, an address of this kind to one cable. */
const isOnlyHere = (host: string) =>
	(!/[.:]/.test(host) && host !== 'localhost') || /^(localhost\.|169\.254\.|fe80:)/i.test(host);

type Where = Pick<Status, 'address' | 'addressIsGuess'>;
const guess = { addressIsGuess: true };

/** What it is called where server.properties says nothing. */
function named({ address, page, host }: Names): Where {
	if (address) return { address };
	if (page && !LOCAL.test(page)) return { address: page };
	return { address: host, ...(isOnlyHere(host) && guess) };
}

function address(names: Names, { game }: Installation): Where {
	const given = names.address ? '' : game.host;
	const { address: host, ...sure }: Where = LOCAL.test(given)
		? named(names)
		: { address: given, ...(isOnlyHere(given) && guess) };
	if (names.address || game.port === DEFAULT_PORT) return { address: host, ...sure };
	return { address: `${host.includes(':') ? `[${host}]` : host}:${game.port}`, ...sure };
}

const firstLine = (motd: string | null) =>
	motd === null ? null : [...(motd.split('\n')[0] ?? '')].slice(0, NAME_MAX).join('') || null;
/** A whole number from 0 up; anything else is nonsense and treated as unknown. */
const count = (value: number | null | undefined) =>
	typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
const round1 = (value: number) => Math.round(value * 10) / 10;

import { stripCodes } from '#minecraft/text';

export type ListedPlayer = { name: string; uuid: string | null };
export type PlayerList = {
	online: number;
	/** Null when the server does not say. */
	max: number | null;
	/** Null when the names cannot be separated reliably, e.g. because of a team prefix with a comma. */
	players: ListedPlayer[] | null;
};

/** The longest name, with its prefix, that is accepted. */
const NAME_MAX_CHARS = 64;

const LIST_FORMS = [
	// 1.13 and later; `of a max 20` until 1.15
	/^There are (?<online>\d{1,6}) of a max (?:of )?(?<max>\d{1,10}) players online:(?<names>.*)$/s,
	// 1.12 and before
	/^There are (?<online>\d{1,6})\/(?<max>\d{1,10}) players online:(?<names>.*)$/s,
	// Cuberite
	/^Players \((?<online>\d{1,6})\):(?<names>.*)$/s,
	// EssentialsX, followed by its lines of groups
	/^There are (?<online>\d{1,6}) out of maximum (?<max>\d{1,10}) players online\.(?<groups>.*)$/s
];
const NAME_AND_UUID =
	/([^\n]+?) \(([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\)(?:, |$)/gy;

/** Parses the answer of `list` or `list uuids`, of any version; null when it is not certain to be one. */
export function parseList(answer: string): PlayerList | null {
	const text = stripCodes(answer).trim();
	for (const form of LIST_FORMS) {
		const groups = form.exec(text)?.groups;
		if (!groups) continue;
		const online = Number(groups.online);
		const names = groups.names?.trim();
		// Two answers run together: nobody knows which one is right.
		if (online === 0 && names) return null;
		return {
			online,
			max: groups.max === undefined ? null : Number(groups.max),
			players: names === undefined ? null : parseNames(names, online)
		};
	}
	return null;
}

function parseNames(names: string, online: number): ListedPlayer[] | null {
	if (names === '') return online === 0 ? [] : null;
	const players = namesWithUuids(names) ?? names.split(', ').map((name) => ({ name, uuid: null }));
	const sure = players.every(
		({ name }) => name.trim() !== '' && name.length <= NAME_MAX_CHARS && !/\n|online:/.test(name)
	);
	return sure && players.length === online ? players : null;
}

/** Null when not everything is `name (uuid)`. */
function namesWithUuids(names: string): ListedPlayer[] | null {
	const players: ListedPlayer[] = [];
	let end = 0;
	for (const [whole, name = '', uuid = ''] of names.matchAll(NAME_AND_UUID)) {
		players.push({ name, uuid });
		end += whole.length;
	}
	return end === names.length ? players : null;
}

export type TickReport = {
	/** Ticks per second; null while the game is frozen or sprinting. */
	tps: number | null;
	/** Mean time of a tick in ms; null while the game is frozen. */
	mspt: number | null;
};

/** Parses the answer of `tick query` (1.20.3 and later); null when the server does not know the command. */
export function parseTickQuery(answer: string): TickReport | null {
	const text = stripCodes(answer);
	const target = only(text, /Target tick rate: (\d{1,5}(?:[.,]\d+)?) per second/g);
	const mspt = only(text, /Average time per tick: (\d{1,9}(?:[.,]\d+)?) ?ms/g);
	if (target === null || mspt === null || target <= 0) return null;
	if (/The game is frozen/.test(text)) return { tps: null, mspt: null };
	if (!/The game (?:runs normally|is running)/.test(text)) return { tps: null, mspt };
	const tps = mspt > 0 ? Math.min(target, 1000 / mspt) : target;
	return { tps: Math.round(tps * 100) / 100, mspt };
}

/** The only number that matches; up to 1.21.1 its decimal separator follows the machine's language. */
function only(text: string, pattern: RegExp): number | null {
	const [match, ...more] = text.matchAll(pattern);
	return match?.[1] && more.length === 0 ? Number(match[1].replace(',', '.')) : null;
}

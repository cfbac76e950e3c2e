import { createLru } from '#core/lru';
import { createRoster, NAME_MAX_CHARS, type GamePlayer, type Known } from './roster.ts';

const IDS_MAX = 2000;
const WAITING_MAX = 64;
/** At most this many other entries of the game stand between the lines about one login, or one departure. */
const NEAR_TURNS = 100;
/** Without the characters that prefixes and chat formats are made of. */
const PROFILE = /^(?! )[^\n<>[\](){}:;,*§"'`«»|/\\]{1,40}(?<! )$/u;

/**
 * Names of profiles without the separators of chat formats; those of offline servers and of Bedrock may have spaces.
 */
const isProfileName = (text: string) => PROFILE.test(text);
/** A name that is believed without another line to confirm it: one word. */
export const isPlainName = (text: string) => PROFILE.test(text) && !/\s/.test(text);
/** What the game may show for a player named in another line. */
const isDisplayName = (text: string) =>
	text.length <= NAME_MAX_CHARS && !/^[<*]|: |[\n»]/.test(text);

export type Presence = ReturnType<typeof createPresence>;

/**
 * Who is online according to the log. Login lines name the profile, the others what the game shows; the two are
 * matched by their nearness (`Ana logged in …`, `[VIP] Ännchen joined the game`).
 */
export function createPresence() {
	const roster = createRoster();
	const ids = createLru<string, string>(IDS_MAX);
	/** Let in, not logged in yet. On Paper the join is announced in between. */
	const admitted = new Map<string, number>();
	/** Logged in, not announced yet. */
	const arriving = new Map<string, Known>();
	/** Connection lost, leave not announced yet. */
	const departing = new Map<string, Known>();
	let turn = 0;

	const isNear = (then: number) => turn - then <= NEAR_TURNS;
	const create = (name: string, facts: Partial<Known> = {}): Known => ({
		...{ name, display: name, uuid: ids.get(name) ?? null, since: null },
		...{ announced: false, fake: false, turn },
		...facts
	});
	const newest = (players: Map<string, Known>) => {
		const last = [...players.values()].at(-1);
		return last && isNear(last.turn) ? last : null;
	};
	const enter = (name: string, facts: Partial<Known>) => {
		admitted.delete(name);
		arriving.delete(name);
		departing.delete(name);
		return roster.add(create(name, facts));
	};
	/** A text that names another player is not a display name: it is a chat format, in which that player speaks. */
	const namesAnother = (text: string, player: Known | null = null) =>
		/\s/.test(text) && roster.named(text).some((one) => one !== player);
	/** Whose join this is, when the name is not that of an earlier login. */
	const admittedAs = (display: string): string | null => {
		if (isNear(admitted.get(display) ?? -Infinity)) return display;
		const [name, then] = [...admitted].at(-1) ?? [];
		return name !== undefined && !roster.byName(name) && isNear(then!) ? name : null;
	};

	return {
		roster,
		/** Nearness is counted in entries of the game: call it once for each of them. */
		tick: () => void turn++,
		/** Looks up by display name; learns a changed prefix. A stranger is taken at their word. */
		identify(display: string): GamePlayer {
			const player = roster.exact(display) ?? roster.loose(display);
			if (player) roster.learn(player, display);
			return player ?? create(display);
		},
		/** Whether a line of the game can be about somebody of that name who is not present. */
		canBe: (name: string) => isProfileName(name) && !namesAnother(name),
		/** `UUID of player …` */
		admit(name: string, uuid: string) {
			ids.set(name, uuid);
			put(admitted, name, turn);
		},
		/** `… logged in with entity id …` */
		login(name: string, at: string | null, fake: boolean) {
			if (!admitted.has(name) && !this.canBe(name)) return;
			const known = roster.byName(name);
			const announcedBefore = known?.announced && isNear(known.turn) && !admitted.has(name);
			if (announcedBefore) known.fake = fake;
			else put(arriving, name, enter(name, { since: at, fake }));
		},
		/** `… joined the game`; null when nobody can have joined under that name. */
		join(display: string, at: string | null): Known | null {
			const known = roster.exact(display);
			const arrival = known ? (arriving.get(known.name) ?? null) : newest(arriving);
			if (arrival && isDisplayName(display) && !namesAnother(display, arrival)) {
				arriving.delete(arrival.name);
				roster.learn(arrival, display);
				return Object.assign(arrival, { announced: true });
			}
			const isOwn = isDisplayName(display) && !namesAnother(display);
			const name = known?.name ?? (isOwn ? admittedAs(display) : null);
			if (name === null && !isPlainName(display)) return null;
			return enter(name ?? display, { display, since: at, announced: true });
		},
		/** `… lost connection: …` */
		lose(name: string) {
			const known = roster.byName(name);
			if (!known && !isPlainName(name)) return;
			if (known) roster.remove(known);
			arriving.delete(name);
			put(departing, name, Object.assign(known ?? create(name), { turn }));
		},
		/** `… left the game`; null when nobody can have left under that name. */
		leave(display: string): Known | null {
			const known = roster.exact(display);
			const shown = [...departing.values()].findLast((one) => one.display === display);
			const gone = shown ?? departing.get(display) ?? (known ? null : newest(departing));
			if (gone && isDisplayName(display) && !namesAnother(display, gone)) {
				departing.delete(gone.name);
				return Object.assign(gone, { display });
			}
			if (!known) return isPlainName(display) ? create(display) : null;
			roster.remove(known);
			arriving.delete(known.name);
			return known;
		},
		/** They were present before the part of the log that is read. */
		assume: (name: string, display: string) =>
			void roster.add(create(name, { display, announced: true })),
		/** Nobody is online any more; which id belongs to whom stays known. */
		clear() {
			for (const map of [roster, admitted, arriving, departing]) map.clear();
		}
	};
}

/** Adds it as the newest; only a few may wait. */
function put<T>(waiting: Map<string, T>, name: string, value: T) {
	waiting.delete(name);
	waiting.set(name, value);
	if (waiting.size > WAITING_MAX) waiting.delete(waiting.keys().next().value!);
}

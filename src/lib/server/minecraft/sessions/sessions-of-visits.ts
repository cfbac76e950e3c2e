import type { PlayerSession } from '#schemas/player';
import type { Visit, Visits } from './visits.ts';

export type Session = PlayerSession & { name: string; display: string; uuid: string | null };
export type SessionsTold = {
	/** In the order of the logs. */
	sessions: Session[];
	/** When the last line that names a time was written. */
	lastAt: string | null;
};

/** For all players together; the oldest are dropped. */
const SESSIONS_MAX = 100_000;
/** Far more than ever play together. */
const OPEN_MAX = 2_000;

/**
 * Who played from when to when, from the logs in the order in which they were written. A session continues from one
 * log to the next (they start anew at midnight), and ends with the server, whether it stops or is just gone.
 */
export function sessionsOf(logs: Visits[]): SessionsTold {
	let sessions: Session[] = [];
	const open = createOpen();
	/** Ended by a server that stops: it logs them as leaving after announcing the stop. */
	const taken = createOpen();
	let lastAt: string | null = null;
	let crashing = false;

	const keep = (session: Session) => {
		sessions.push(session);
		if (sessions.length > SESSIONS_MAX) sessions = sessions.slice(-SESSIONS_MAX / 2);
	};
	const end = (session: Session, to: string | null, why: PlayerSession['end']) => {
		Object.assign(session, { to, end: why });
		open.delete(session);
	};
	const endAll = (to: string | null, why: PlayerSession['end']) => {
		taken.clear();
		for (const session of open.all()) {
			end(session, to, why);
			taken.add(session);
		}
	};
	const join = ({ name, display, uuid, at }: Visit & Who) => {
		const before = open.find({ name, display, uuid });
		// They join without having left: the line about that is missing.
		if (before) end(before, null, null);
		const session: Session = { name, display, uuid, from: at, to: null, end: 'online' };
		const forgotten = open.add(session);
		if (forgotten) end(forgotten, null, null);
		keep(session);
	};
	const leave = ({ name, display, uuid, at }: Visit & Who) => {
		const session = open.find({ name, display, uuid });
		if (session) end(session, at, 'left');
		else if (at && !taken.find({ name, display, uuid }))
			keep({ name, display, uuid, from: null, to: at, end: 'left' });
	};

	/** A log begins with lines of a starting server before it says that it starts. */
	let before: string | null = null;

	const take = (visit: Visit) => {
		switch (visit.kind) {
			case 'join':
				return join(visit);
			case 'leave':
				return leave(visit);
			case 'crash':
				return void (crashing = true);
			case 'stop':
				return endAll(visit.at, crashing ? 'crashed' : 'stopped');
			case 'start':
				endAll(before ?? lastAt, 'crashed');
				taken.clear();
				crashing = false;
		}
	};
	for (const log of logs) {
		before = lastAt;
		for (const visit of log) {
			if (visit.kind !== null) {
				take(visit);
				before = null;
			}
			lastAt = visit.at ?? lastAt;
		}
	}
	return { sessions, lastAt };
}

type Who = { name: string; display: string; uuid: string | null };

/** Sessions by player. */
function createOpen() {
	const byName = new Map<string, Session>();
	const byDisplay = new Map<string, Session>();
	const isOf = (session: Session | undefined, { uuid }: Who) =>
		!!session && (!uuid || !session.uuid || uuid === session.uuid);

	const remove = (session: Session) => {
		if (byName.get(session.name) === session) byName.delete(session.name);
		if (byDisplay.get(session.display) === session) byDisplay.delete(session.display);
	};
	return {
		/** By the name of the profile, else by what the game shows for the player. */
		find(who: Who): Session | null {
			const found = [byName.get(who.name), byDisplay.get(who.display)];
			return found.find((session) => isOf(session, who)) ?? null;
		},
		/** Returns whoever had to make room. */
		add(session: Session): Session | null {
			byName.set(session.name, session);
			byDisplay.set(session.display, session);
			if (byName.size <= OPEN_MAX) return null;
			const oldest = byName.values().next().value!;
			remove(oldest);
			return oldest;
		},
		delete: remove,
		all: () => [...byName.values()],
		clear() {
			byName.clear();
			byDisplay.clear();
		}
	};
}

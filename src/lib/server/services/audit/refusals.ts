import type { Clock } from '#core/clock';
import { createRepeats, type Again, type Repeats } from '#core/log';
import type { Entry } from './writer.ts';

const MINUTE_MS = 60_000;
/** Per actor within a minute; beyond these, only the total number of the others is written. */
const KINDS_MAX = 30;

type Append = (entry: Entry) => Promise<void>;
type Refusals = {
	/** Resolves when it, or the first of its kind, is on disk. */
	add(entry: Entry): Promise<void>;
	/** Appends what has only been counted so far. */
	close(): void;
};

/**
 * Someone who is refused repeatedly gets one entry for each kind of refusal, and a minute later one that says how
 * many more there were. Each actor is counted separately: nobody can hide what someone else tries.
 */
export function createRefusals(append: Append, clock: Clock): Refusals {
	/** By name; only configured accounts and the dashboard's own actors have one. */
	const actors = new Map<string, Repeats<Entry, Promise<void>>>();
	const again = ({ count, latest, mixed }: Again<Entry, Promise<void>>) => {
		const at = clock.now().toISOString();
		void append({ ...latest, at, ...(mixed ? ofSeveralKinds(count) : more(count, latest)) });
	};
	const repeatsOf = (name: string) => {
		const repeats =
			actors.get(name) ??
			createRepeats({ clock, everyMs: MINUTE_MS, kindsMax: KINDS_MAX, first: append, again });
		actors.set(name, repeats);
		return repeats;
	};
	return {
		add: (entry) =>
			repeatsOf(entry.by).add(
				JSON.stringify([entry.role, entry.address, entry.action, entry.subject, entry.detail]),
				entry
			),
		close() {
			for (const repeats of actors.values()) repeats.close();
		}
	};
}

const times = (count: number) => (count === 1 ? 'once more' : `${count} more times`);
const more = (count: number, { detail }: Entry) => ({
	detail: `${detail ? `${detail} ` : ''}(${times(count)} within a minute)`
});
const ofSeveralKinds = (count: number) => ({
	action: 'access',
	subject: null,
	detail: `Refused ${times(count)} within a minute, for several things.`
});

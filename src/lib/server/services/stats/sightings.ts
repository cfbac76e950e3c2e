import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '#core/clock';
import { ensureDir, readTextIfExists, writeAtomic } from '#core/files';
import { createSerial } from '#core/serial';

/** What the dashboard itself has seen of a player; a new object each time it has seen more. */
export type Seen = {
	/** Of their longest life. */
	lifeTicks: number;
	nether: Trips;
	end: Trips;
	/** Where they were last. */
	at: Place | null;
};
/** `first`: their very first trip was among them, before they had its advancement. */
type Trips = { trips: number; first: boolean };
type Place = 'nether' | 'end' | 'elsewhere';

/** A dimension's id, such as `minecraft:the_nether`; null when it is not known. */
export type Whereabouts = { uuid: string; dimension: string | null };

/** What the game's files do not tell, kept on disk: the longest lives, and changes of dimension. */
export interface Sightings {
	/** Reads the file once. */
	load(): Promise<void>;
	of(uuid: string): Seen | null;
	/** Changes whenever something was seen. */
	readonly changes: number;
	lived(uuid: string, ticks: number): void;
	/** `been`: what their advancements said before; null when not known. */
	met(place: Whereabouts, been: { nether: boolean; end: boolean } | null): void;
	/** Writes what is new, at most once every five minutes. */
	save(): Promise<void>;
	/** Writes anything not yet written, at once. */
	close(): Promise<void>;
}

type Deps = {
	file: string;
	clock: Clock;
	warn: (message: string, facts?: { cause?: unknown }) => void;
};

const SAVE_MS = 5 * 60_000;
/** Lines to process before other work gets its turn. */
const SLICE = 5_000;
const PLACES: Record<string, Place> = {
	'minecraft:the_nether': 'nether',
	'minecraft:the_end': 'end'
};
/** Id, ticks, trips to the Nether and the End (a star: with the first), and where they were. */
const LINE = /^([0-9a-f-]{36}) (\d{1,10}) (\d{1,9})(\*?) (\d{1,9})(\*?) (nether|end|elsewhere|-)$/;
const NOTHING: Seen = {
	lifeTicks: 0,
	nether: { trips: 0, first: false },
	end: { trips: 0, first: false },
	at: null
};

/** One line of text per player, so that thousands can be written without blocking. */
export function createSightings({ file, clock, warn }: Deps): Sightings {
	const seen = new Map<string, Seen>();
	let loading: Promise<void> | null = null;
	const writing = createSerial();
	/** A file that could not be read is never overwritten. */
	let readable = false;
	let dirty = false;
	let changes = 0;
	let savedMs = -Infinity;

	const change = (uuid: string, patch: Partial<Seen>) => {
		seen.set(uuid, { ...(seen.get(uuid) ?? NOTHING), ...patch });
		dirty = true;
		changes++;
	};

	async function load() {
		const lines = (await readTextIfExists(file))?.split('\n') ?? [];
		readable = true;
		let odd = 0;
		for (const [i, line] of lines.entries()) {
			if (i % SLICE === SLICE - 1) await turn();
			const one = parseLine(line);
			if (one) seen.set(one.uuid, one.seen);
			else if (line !== '') odd++;
		}
		if (odd > 0) warn(`${path.basename(file)} has ${odd} damaged lines, which are skipped`);
	}

	async function write() {
		if (!dirty || !readable) return;
		dirty = false;
		savedMs = clock.monotonicMs();
		const lines: string[] = [];
		for (const [uuid, one] of seen) {
			lines.push(lineOf(uuid, one));
			if (lines.length % SLICE === 0) await turn();
		}
		try {
			await ensureDir(path.dirname(file));
			await writeAtomic(file, lines.join(''));
		} catch (cause) {
			dirty = true;
			warn('What was seen of the players could not be written', { cause });
		}
	}

	const inTurn = () => writing.run(write);

	return {
		load: () =>
			(loading ??= load().catch((cause) =>
				warn(`${path.basename(file)} cannot be read: what was seen before is not counted`, {
					cause
				})
			)),
		of: (uuid) => seen.get(uuid) ?? null,
		get changes() {
			return changes;
		},
		lived(uuid, ticks) {
			if (ticks > (seen.get(uuid)?.lifeTicks ?? 0)) change(uuid, { lifeTicks: ticks });
		},
		met({ uuid, dimension }, been) {
			const at = dimension === null ? null : (PLACES[dimension] ?? 'elsewhere');
			const before = seen.get(uuid) ?? NOTHING;
			if (at === null || at === before.at) return;
			const arrived = before.at !== null && at !== 'elsewhere' ? at : null;
			const trip = arrived && { [arrived]: oneMore(before[arrived], been?.[arrived] === false) };
			change(uuid, { at, ...trip });
		},
		async save() {
			if (clock.monotonicMs() - savedMs >= SAVE_MS) await inTurn();
		},
		close: inTurn
	};
}

const oneMore = ({ trips, first }: Trips, isFirst: boolean): Trips => ({
	trips: trips + 1,
	first: first || (isFirst && trips === 0)
});

const lineOf = (uuid: string, { lifeTicks, nether, end, at }: Seen) =>
	`${uuid} ${lifeTicks} ${tripsText(nether)} ${tripsText(end)} ${at ?? '-'}\n`;
const tripsText = ({ trips, first }: Trips) => `${trips}${first ? '*' : ''}`;

function parseLine(line: string): { uuid: string; seen: Seen } | null {
	const [, uuid, ticks, nether, netherFirst, end, endFirst, at] = LINE.exec(line) ?? [];
	if (!uuid) return null;
	const seen: Seen = {
		lifeTicks: Number(ticks),
		nether: { trips: Number(nether), first: netherFirst === '*' },
		end: { trips: Number(end), first: endFirst === '*' },
		at: at === '-' ? null : (at as Place)
	};
	return { uuid, seen };
}

import { AIR, statValue } from './value.ts';
import {
	CUSTOM,
	DISTANCE,
	emptyStats,
	FAVOURITES,
	OWN_TYPES,
	SHOWN_ID,
	type FileStats
} from './stats.ts';

/** The reading position; `from`, `to` and `hash` are those of the last key. */
type Cursor = {
	bytes: Buffer;
	words: DataView;
	place: number;
	from: number;
	to: number;
	hash: number;
};
/** The sum over the ids of one type; if wanted, the best as positions in the file, the greatest first. */
type Tally = { total: number; different: number; best: Place[] | null };
type Place = { from: number; to: number; count: number };

const [QUOTE, BACKSLASH, COLON, COMMA, OPEN, CLOSE] = [34, 92, 58, 44, 123, 125] as const;
const [TAB, NEWLINE, RETURN, SPACE, LAST_ASCII, ZERO, NINE] = [9, 10, 13, 32, 126, 48, 57] as const;
/** In each of four bytes. */
const EACH = 0x01010101;
const HIGHEST = -0x7f7f7f80;
export const SCAN_ROOM = 4;
/** A greater number is not a count of the game. */
const DIGITS_MAX = 10;

/** Odd, and negative because they must fit into 32 bits. */
const PRIME = -2_048_144_789;
const SPREAD = -1_640_531_535;
/**
 * Hashes of the keys of one file. How much of it is used depends on the file's length: a small part stays in the CPU
 * cache.
 */
const SLOT_BITS_MAX = 15;
const slots = new Int32Array(1 << SLOT_BITS_MAX);
let slotBits = SLOT_BITS_MAX;
let keys = 0;
let objects = 0;
/** Fewer than the shortest key takes with its value: less than half of the slots are used. */
const MEMBER_BYTES = 8;

/**
 * Reads the file that every version since 1.13 writes, byte by byte and without a string for each of its ids: a
 * fraction of the work of parsing it. Null for anything unusual, even a repeated key: the parser then decides. Behind
 * the `length` bytes of the file there must be room for a few more.
 */
export function scanStats(bytes: Buffer, length: number): FileStats | null {
	bytes.fill(0, length, length + SCAN_ROOM); // no number and no key continues here
	slotBits = Math.min(SLOT_BITS_MAX, 32 - Math.clz32(length / MEMBER_BYTES));
	slots.fill(0, 0, 1 << slotBits);
	keys = objects = 0;
	const at = cursorAt(bytes);
	const root: Root = { stats: emptyStats(), found: false, own: true };
	const whole = members(at, rootMember, root) && skipBlank(at) === length;
	return whole && root.found && root.own ? root.stats : null;
}

/** `own`: there are no types in it, or one of them is the game's own. */
type Root = { stats: FileStats; found: boolean; own: boolean };

function rootMember(at: Cursor, root: Root): boolean {
	if (textOf(at, at) !== 'stats') return count(at) >= 0;
	root.found = true;
	const inside = { stats: root.stats, types: 0, own: 0 };
	if (!members(at, typeMember, inside)) return false;
	root.own = inside.types === 0 || inside.own > 0;
	return true;
}

function typeMember(at: Cursor, inside: { stats: FileStats; types: number; own: number }): boolean {
	const { stats } = inside;
	const type = textOf(at, at);
	inside.types++;
	if (OWN_TYPES.has(type)) inside.own++;
	if (type === 'minecraft:custom') return readCustom(at, stats);
	const shown = SHOWN.get(type);
	const tally: Tally = { total: 0, different: 0, best: shown ? [] : null };
	if (!members(at, counted, tally)) return false;
	const sum = SUMS.get(type);
	if (sum) stats[sum] = tally.total;
	if (sum === 'pickedUp') stats.uniquePickedUp = tally.different;
	if (shown) stats[shown] = tally.best!.map((one) => ({ id: textOf(at, one), count: one.count }));
	return !shown || stats[shown].every(({ id }) => SHOWN_ID.test(id));
}

const SUMS = new Map<string, 'mined' | 'used' | 'crafted' | 'pickedUp'>([
	['minecraft:mined', 'mined'],
	['minecraft:used', 'used'],
	['minecraft:crafted', 'crafted'],
	['minecraft:picked_up', 'pickedUp']
]);
const SHOWN = new Map<string, 'blocks' | 'items' | 'mobs'>([
	['minecraft:mined', 'blocks'],
	['minecraft:used', 'items'],
	['minecraft:killed', 'mobs']
]);

function counted(at: Cursor, tally: Tally): boolean {
	const { from, to, hash } = at;
	const value = count(at);
	if (value <= 0) return value === 0;
	if (hash === AIR_HASH && at.bytes.toString('latin1', from, to) === AIR) return true;
	tally.total += value;
	tally.different++;
	const { best } = tally;
	if (best && (best.length < FAVOURITES || value >= best[FAVOURITES - 1]!.count))
		keep(at, best, { from, to, count: value });
	return true;
}

function keep(at: Cursor, best: Place[], one: Place) {
	let place = best.length;
	for (; place > 0; place--) {
		const before = best[place - 1]!;
		if (before.count > one.count) break;
		if (before.count === one.count && textOf(at, before) < textOf(at, one)) break;
		best[place] = before;
	}
	best[place] = one;
	if (best.length > FAVOURITES) best.pop();
}

function readCustom(at: Cursor, stats: FileStats): boolean {
	const custom = { stats, known: new Map<string, number>() };
	if (!members(at, customMember, custom)) return false;
	for (const [id, name] of CUSTOM) stats[name] = custom.known.get(id) ?? stats[name];
	return true;
}

function customMember(at: Cursor, custom: { stats: FileStats; known: Map<string, number> }) {
	const { from, to, hash } = at;
	const value = count(at);
	if (value < 0) return false;
	const isDistance = at.bytes[to - 1] === LAST_OF_DISTANCE && to - from >= DISTANCE.length;
	if (isDistance && at.bytes.toString('latin1', to - DISTANCE.length, to) === DISTANCE)
		custom.stats.centimetres += value;
	if (CUSTOM_HASHES.has(hash)) custom.known.set(at.bytes.toString('latin1', from, to), value);
	return true;
}

/** Goes through one object; `value` reads what follows a key. False: unusual. */
function members<T>(at: Cursor, value: (at: Cursor, into: T) => boolean, into: T): boolean {
	if (!take(at, OPEN)) return false;
	if (take(at, CLOSE)) return true;
	const object = ++objects;
	do {
		if (!key(at) || !isNew(at.hash, object) || !take(at, COLON)) return false;
		if (!value(at, into)) return false;
	} while (take(at, COMMA));
	return take(at, CLOSE);
}

/** Reads four bytes at a time as long as none is a quote, a backslash, a control character or beyond ASCII. */
function key(at: Cursor): boolean {
	if (!take(at, QUOTE)) return false;
	const { bytes, words } = at;
	const from = at.place;
	let place = from;
	let hash = 0;
	for (;;) {
		const word = words.getInt32(place, true);
		const quote = word ^ (QUOTE * EACH);
		const backslash = word ^ (BACKSLASH * EACH);
		const odd =
			((quote - EACH) & ~quote) | ((backslash - EACH) & ~backslash) | (word - SPACE * EACH) | word;
		if ((odd & HIGHEST) !== 0) break;
		hash = Math.imul(hash ^ word, PRIME);
		place += 4;
	}
	for (let byte = bytes[place]!; byte !== QUOTE; byte = bytes[++place]!) {
		if (byte < SPACE || byte > LAST_ASCII || byte === BACKSLASH) return false;
		hash = Math.imul(hash ^ byte, PRIME);
	}
	at.from = from;
	at.to = place;
	at.hash = hash;
	at.place = place + 1;
	return true;
}

/** Also false for two keys with the same hash: that is rare enough. */
function isNew(hash: number, object: number): boolean {
	if (++keys > 1 << (slotBits - 1)) return false;
	const mark = Math.imul(hash ^ Math.imul(object, PRIME), SPREAD) | 1;
	const last = (1 << slotBits) - 1;
	let slot = mark >>> (32 - slotBits);
	for (; slots[slot] !== 0; slot = (slot + 1) & last) if (slots[slot] === mark) return false;
	slots[slot] = mark;
	return true;
}

/** -1 for anything but a whole number of a few digits. */
function count(at: Cursor): number {
	const { bytes } = at;
	const from = skipBlank(at);
	let place = from;
	let value = 0;
	for (let byte = bytes[place]!; byte >= ZERO && byte <= NINE; byte = bytes[++place]!)
		value = value * 10 + (byte - ZERO);
	at.place = place;
	const digits = place - from;
	if (digits === 0 || digits > DIGITS_MAX || (digits > 1 && bytes[from] === ZERO)) return -1;
	return statValue(value);
}

function take(at: Cursor, byte: number): boolean {
	if (at.bytes[at.place] !== byte && at.bytes[skipBlank(at)] !== byte) return false;
	at.place++;
	return true;
}

function skipBlank(at: Cursor): number {
	const { bytes } = at;
	let { place } = at;
	for (let byte = bytes[place]!; byte <= SPACE; byte = bytes[++place]!)
		if (byte !== SPACE && byte !== NEWLINE && byte !== RETURN && byte !== TAB) break;
	return (at.place = place);
}

const cursorAt = (bytes: Buffer): Cursor => {
	const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	return { bytes, words, place: 0, from: 0, to: 0, hash: 0 };
};
const textOf = ({ bytes }: Cursor, { from, to }: { from: number; to: number }) =>
	bytes.toString('latin1', from, to);

function hashOf(id: string): number {
	const at = cursorAt(Buffer.from(`"${id}"\0\0\0\0`));
	key(at);
	return at.hash;
}
const AIR_HASH = hashOf(AIR);
const CUSTOM_HASHES = new Set(CUSTOM.map(([id]) => hashOf(id)));
const LAST_OF_DISTANCE = DISTANCE.charCodeAt(DISTANCE.length - 1);

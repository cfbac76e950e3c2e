import type { Person } from '$lib/game/players/player-lists';

/** Longer than a thumb is on its way. */
const STAYS_MS = 5000;

/**
 * The new list, with those who have just left where they stood in the one before, so that nobody moves into their place
 * at once. `held`: somebody is about to press, and nothing goes.
 */
export function staying(before: Person[], people: Person[], now: number, held: boolean): Person[] {
	const keys = ({ uuid, name }: Person) => [uuid, name].filter((key) => key !== null);
	const here = new Set(people.filter(({ online }) => online).flatMap(keys));
	const stays = ({ leftAt = now }: Person) => held || now - leftAt < STAYS_MS;
	const stood = before.filter((row) => row.leftAt === undefined || stays(row));
	const isLeft = (row: Person) =>
		(row.online || row.leftAt !== undefined) && !keys(row).some((key) => here.has(key));
	const left = new Set(stood.filter(isLeft).flatMap(keys));
	const isOther = (person: Person) => !keys(person).some((key) => left.has(key));
	const others = people.filter(isOther);
	// Whoever has come meanwhile stands behind those who are here.
	const places = new Map(stood.flatMap((row, at) => keys(row).map((key) => [key, at])));
	const placeOf = (person: Person) =>
		keys(person)
			.map((key) => places.get(key))
			.find((at) => at !== undefined) ?? stood.length;
	const online = others.filter((one) => one.online).sort((a, b) => placeOf(a) - placeOf(b));
	const rows: Person[] = others.map((one) => (one.online ? online.shift()! : one));
	stood.forEach((row, at) => {
		if (!isLeft(row)) return;
		const known = people.find(({ uuid, name }) => (uuid ? uuid === row.uuid : name === row.name));
		rows.splice(at, 0, { ...row, ...known, online: false, leftAt: row.leftAt ?? now });
	});
	return rows;
}

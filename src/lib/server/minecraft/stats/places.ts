type Place = { uuid: string; dimension: string };

/** In this dimension: a distance limits a selector to it. 1.16 and later. */
const ask = (dimension: string) =>
	`execute in ${dimension} as @a[distance=0..] run data get entity @s UUID`;
const DIMENSIONS = ['minecraft:the_nether', 'minecraft:the_end'];
const ELSEWHERE = 'minecraft:overworld';

/** One for each player, without a break between them: the name before it can be any text. */
const ID = /has the following entity data: \[I; (-?\d+), (-?\d+), (-?\d+), (-?\d+)\]/g;
const NOBODY = /^\s*(?:No (?:entity|player) was found)?\s*$/;

/**
 * In which dimension the online players are, with two commands for any number of players. Null when this server
 * cannot tell: no such command, or an unexpected answer.
 */
export async function readPlaces(
	command: (line: string) => Promise<string>,
	online: readonly string[]
): Promise<Place[] | null> {
	const places = new Map(online.map((uuid) => [uuid, ELSEWHERE]));
	for (const dimension of DIMENSIONS) {
		const answer = await command(ask(dimension));
		const found = [...answer.matchAll(ID)].map(([, ...parts]) => uuidOf(parts));
		if (found.length === 0 && !NOBODY.test(answer)) return null;
		for (const uuid of found) if (places.has(uuid)) places.set(uuid, dimension);
	}
	return [...places].map(([uuid, dimension]) => ({ uuid, dimension }));
}

const uuidOf = (parts: string[]) =>
	parts
		.map((part) => (Number(part) >>> 0).toString(16).padStart(8, '0'))
		.join('')
		.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

import { AIR, isObject, type Typed } from './value.ts';

/** `stat.<name>` of 1.12 and before, renamed as the game itself does when it converts such a file. */
const CUSTOM = new Map<string, string>([
	['playOneMinute', 'minecraft:play_one_minute'],
	['timeSinceDeath', 'minecraft:time_since_death'],
	['mobKills', 'minecraft:mob_kills'],
	['playerKills', 'minecraft:player_kills'],
	['deaths', 'minecraft:deaths'],
	['damageDealt', 'minecraft:damage_dealt'],
	['damageTaken', 'minecraft:damage_taken'],
	['chestOpened', 'minecraft:open_chest'],
	['tradedWithVillager', 'minecraft:traded_with_villager'],
	['fishCaught', 'minecraft:fish_caught'],
	['animalsBred', 'minecraft:animals_bred']
]);
const TYPES = new Map<string, string>([
	['mineBlock', 'mined'],
	['useItem', 'used'],
	['craftItem', 'crafted'],
	['pickup', 'picked_up'],
	['killEntity', 'killed']
]);
/** Mobs whose old name is not their later id in capitals. */
const MOBS = new Map<string, string>([
	['PigZombie', 'zombie_pigman'],
	['LavaSlime', 'magma_cube'],
	['MushroomCow', 'mooshroom'],
	['Ozelot', 'ocelot'],
	['EntityHorse', 'horse'],
	['EvocationIllager', 'evocation_illager'],
	['VindicationIllager', 'vindication_illager']
]);
const PREFIX = 'stat.';
const OWN_KEY = /^(?:stat|achievement)\./;
const DISTANCE = 'OneCm';
/** Blocks and items were numbered until 1.7. */
const NUMBER_OF_AIR = '0';

/** What a flat file counts, under the types and ids of later versions; null when none of its keys is one of those. */
export function typedOf(root: Record<string, unknown>): Typed | null {
	const keys = Object.keys(root);
	if (keys.length > 0 && !keys.some((key) => OWN_KEY.test(key))) return null;
	const types: Typed = {};
	const put = (type: string, id: string, value: unknown) => {
		const ids = (types[`minecraft:${type}`] ??= Object.create(null)) as Record<string, unknown>;
		// Up to 1.11 a value could come with the progress that goes with it.
		ids[id] = isObject(value) ? value['value'] : value;
	};
	for (const key of keys) {
		if (!key.startsWith(PREFIX)) continue;
		const dot = key.indexOf('.', PREFIX.length);
		const name = key.slice(PREFIX.length, dot < 0 ? undefined : dot);
		if (dot < 0) put('custom', customId(name), root[key]);
		else if (TYPES.has(name)) put(TYPES.get(name)!, laterId(name, key.slice(dot + 1)), root[key]);
		// Only mods have a way of moving with a dot in its name.
		else if (key.endsWith(DISTANCE)) put('custom', customId(key.slice(PREFIX.length)), root[key]);
	}
	return types;
}

const customId = (name: string) =>
	CUSTOM.get(name) ?? `minecraft:${name.endsWith(DISTANCE) ? snakeCase(name) : name}`;

/** `minecraft.stone` is `minecraft:stone`; later dots belong to a mod's own id. */
function laterId(type: string, rest: string) {
	if (rest.includes('.')) return rest.replace('.', ':');
	if (type === 'killEntity') return `minecraft:${MOBS.get(rest) ?? snakeCase(rest)}`;
	return rest === NUMBER_OF_AIR ? AIR : `minecraft:${rest}`;
}

const snakeCase = (name: string) =>
	name.replace(/[A-Z]/g, (letter, at: number) => (at > 0 ? '_' : '') + letter.toLowerCase());

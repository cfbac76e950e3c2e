/** The game counts in 32 bits and stays at their maximum. */
const VALUE_MAX = 2 ** 31 - 1;

/** A count as the game could have written it: whole, from 0 to 2,147,483,647; 0 for anything but a number. */
export const statValue = (value: unknown): number =>
	typeof value === 'number' && value > 0 ? Math.min(Math.trunc(value), VALUE_MAX) : 0;

/** As `JSON.parse` makes one: every key is an own property, even `__proto__`. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** `minecraft:mined` and the like, each with its counts by id. */
export type Typed = Record<string, unknown>;

export const AIR = 'minecraft:air';

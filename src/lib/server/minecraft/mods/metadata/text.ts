import { plainText } from '#minecraft/text';

const ID_MAX_CHARS = 64;
export const NAME_MAX_CHARS = 100;
export const VERSION_MAX_CHARS = 100;
export const RANGE_MAX_CHARS = 200;
export const DESCRIPTION_MAX_CHARS = 1_000;
/** The largest pack has some 40; a jar that claims more is not read further. */
export const DEPENDENCIES_MAX = 200;

/** Text from a jar, made harmless: one line of plain text, or null when it is empty. */
export function line(value: unknown, maxChars: number): string | null {
	if (typeof value !== 'string' && typeof value !== 'number') return null;
	// Codes and marks are removed afterwards; ten times the length holds every honest text with them.
	const text = plainText(String(value).slice(0, maxChars * 10), maxChars * 10);
	return plainText(text.replace(/\s+/g, ' '), maxChars) || null;
}

/** Ids are compared, never shown alone: a longer text is not an id. */
export function idOf(value: unknown): string | null {
	const id = line(value, ID_MAX_CHARS + 1);
	return id !== null && id.length <= ID_MAX_CHARS && !/\s/.test(id) ? id : null;
}

export type JsonObject = Record<string, unknown>;
export const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
/** Looks up a name from outside, never what every object has (`constructor`, `__proto__`). */
export const ownOf = (object: JsonObject, name: string): unknown =>
	Object.hasOwn(object, name) ? object[name] : undefined;
export const listOf = (value: unknown): unknown[] =>
	Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
export const strings = (value: unknown): string[] =>
	listOf(value).filter((item): item is string => typeof item === 'string');

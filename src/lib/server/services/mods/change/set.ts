import { createHash } from 'node:crypto';
import { AppError } from '#core/errors';
import type { ModChange } from './types.ts';

/** All files that count as mods: name to sha512. */
export type ModSet = Record<string, string>;

/** Names a set in a few characters. */
export const digest = (set: ModSet): string =>
	createHash('sha256')
		.update(JSON.stringify(Object.entries(set).sort(([a], [b]) => (a < b ? -1 : 1))))
		.digest('hex');

/** The set that a change leads to. */
export function afterwards({ before, take, rename, put }: ModChange): ModSet {
	const set = { ...before };
	for (const { fileName } of take) delete set[fileName];
	for (const { from } of rename) delete set[from];
	for (const { to, sha512 } of rename) set[to] = sha512;
	for (const { fileName, sha512 } of put) set[fileName] = sha512;
	return set;
}

/** What differs, in a few words; null when nothing does. */
export function differs(planned: ModSet, now: ModSet): string | null {
	const names = new Set([...Object.keys(planned), ...Object.keys(now)]);
	for (const name of names) {
		if (planned[name] === now[name]) continue;
		if (planned[name] === undefined) return `${name} was added`;
		return now[name] === undefined ? `${name} is gone` : `${name} is another file now`;
	}
	return null;
}

export const planChanged = (difference: string) =>
	new AppError(
		'conflict',
		`The mods are not what they were when this was planned: ${difference}. Look at the plan again.`,
		{ code: 'plan-changed' }
	);

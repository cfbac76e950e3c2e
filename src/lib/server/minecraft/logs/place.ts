import { crc32 } from 'node:zlib';

/**
 * Where an entry stands: its file, the byte at which it begins in the text of that file, and when it was written. As
 * text it is the entry's id. The time shows whether that name still belongs to the same file.
 */
export type LogPlace = { file: string; offset: number; atS: number | null };

/** Short, and without the characters of file names. */
export const fileKey = (name: string) => crc32(name).toString(36);

export const placeId = (name: string, offset: number, at: string | null) => idsIn(name)(offset, at);

/** The ids of many entries of one file. */
export function idsIn(name: string) {
	const key = fileKey(name);
	let last = { at: '', text: '' };
	return (offset: number, at: string | null) => {
		// Lines of the same moment stand together.
		if (at !== null && at !== last.at)
			last = { at, text: Math.floor(Date.parse(at) / 1000).toString(36) };
		return `${key}-${offset.toString(36)}-${at === null ? '' : last.text}`;
	};
}

/** Null when it is invalid. `file` is the key of its name. */
export function parsePlace(id: string): LogPlace | null {
	const [, file, offset, at] = /^([0-9a-z]{1,7})-([0-9a-z]{1,10})-([0-9a-z]{0,8})$/.exec(id) ?? [];
	if (file === undefined || offset === undefined) return null;
	return { file, offset: parseInt(offset, 36), atS: at ? parseInt(at, 36) : null };
}

/** By this machine's clock, like times in the log. */
export function secondOfDay(atS: number) {
	const at = new Date(atS * 1000);
	return (at.getHours() * 60 + at.getMinutes()) * 60 + at.getSeconds();
}

import type { LogHit } from '#schemas/log';
import { datesOf, prefixLine, parsePrefix, type Stamp } from '#minecraft/log-format';
import { idsIn, secondOfDay } from './place.ts';
import type { LogSource } from '#minecraft/log-files';
import type { Found } from './text.ts';

/** A known time of what follows the entries: days are counted backwards from it. */
export type Anchor = { stamp: Stamp | null; date: Date };

/** The entries of one file, oldest first, which get their times and ids. */
export function dated(name: string, found: Found[], { stamp, date }: Anchor): LogHit[] {
	const dates = datesOf([...found.map((one) => one.stamp), stamp], date);
	const idOf = idsIn(name);
	return found.map(({ offset, entry }, i) => {
		const at = dates[i] ?? null;
		return Object.assign(entry, { at, id: idOf(offset, at), file: name });
	});
}

/** An entry whose date is already known. */
export const anchorAt = (atS: number): Anchor => ({
	stamp: { date: null, dayMs: secondOfDay(atS) * 1000 },
	date: new Date(atS * 1000)
});

/**
 * For the end of a log that is being written: the lines that match a search may be much older, and no nearer to the
 * file's time than their day allows.
 */
export async function anchorAtEnd(source: LogSource): Promise<Anchor> {
	const { date } = source;
	if (source.packed || source.kind !== 'log') return { stamp: null, date };
	for await (const { bytes } of source.backwards()) {
		const head = source.heads.last(bytes, bytes.length);
		return {
			stamp: head === -1 ? null : (parsePrefix(prefixLine(bytes, head))?.stamp ?? null),
			date
		};
	}
	return { stamp: null, date };
}

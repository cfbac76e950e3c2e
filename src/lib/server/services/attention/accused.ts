import type { Mod } from '#schemas/mod';
import type { DisabledAfterCrash } from '#schemas/overview/attention';
import { logsAddress, reportAddress } from '#schemas/plain/log-at';
import type { Accused } from './state.ts';

/** Whoever disables a mod later than this does so for another reason. */
const SOON_MS = 7 * 24 * 3_600_000;
const ACCUSED_MAX = 200;

/** The same mod, also after an update of it; by content where its file tells no id. */
const isSame = (a: Pick<Mod, 'modId' | 'sha512'>, b: Pick<Mod, 'modId' | 'sha512'>) =>
	a.modId !== null || b.modId !== null
		? a.modId === b.modId
		: a.sha512 !== null && a.sha512 === b.sha512;

/** Of two files of the same mod the one that is loaded. */
function fileOf(one: Accused, installed: Mod[]) {
	const found = installed.filter((mod) => isSame(one, mod));
	return found.find(({ enabled }) => enabled) ?? found[0];
}

/** What a crash names takes the place of what the one before named and nobody has disabled. */
export const accuse = (known: Accused[], named: Accused[]): Accused[] =>
	[...named, ...known.filter((one) => one.off && !named.some((mod) => isSame(mod, one)))].slice(
		0,
		ACCUSED_MAX
	);

/** What became of them: one that was updated instead, enabled again or removed is accused no longer. */
export const followed = (accused: Accused[], installed: Mod[], nowMs: number): Accused[] =>
	accused.flatMap((one) => {
		const mod = fileOf(one, installed);
		if (!mod) return [];
		if (!mod.enabled) return [{ ...one, off: true }];
		const isAsItWas = !one.off && mod.sha512 === one.sha512;
		return isAsItWas && nowMs - Date.parse(one.at) < SOON_MS ? [one] : [];
	});

/** Those that are disabled since the crash that named them. */
export const disabledIn = (accused: Accused[], installed: Mod[]): DisabledAfterCrash[] =>
	accused.flatMap((one) => {
		const mod = fileOf(one, installed);
		if (!mod || mod.enabled) return [];
		const log = one.line && logsAddress({ at: one.line });
		const report = one.report && reportAddress(one.report);
		const href = report ?? log;
		return [
			{
				...{ fileName: mod.fileName, at: one.at, isReport: report !== null, href },
				/** It has been updated since. */
				...(mod.version !== one.version && one.version && { version: one.version })
			}
		];
	});

import type { Operation, OperationKind, OperationRow } from '$lib/schemas/operation';
import type { Blame } from '$lib/schemas/overview/attention';
import type { ParkedMod } from '$lib/schemas/mod';
import type { KeptServer } from '$lib/schemas/software/kept';
import type { Without } from '$lib/schemas/software/without';
import type { ModTitles } from '$lib/schemas/plain/mod-titles';

/** What changes the files in `mods/`. */
const OF_MODS: OperationKind[] = ['install', 'update', 'enable', 'disable', 'remove'];

/** Of the restores only those of snapshots, which take one first. */
export const isOfMods = ({ kind, steps }: Operation) =>
	OF_MODS.includes(kind) || (kind === 'restore' && steps.some(({ id }) => id === 'snapshot'));

/** Of what has been updated since, it is no longer said whether it was tried. */
export const withRest = <T extends Pick<Operation, 'result'>>(operation: T, rest: string[]): T =>
	operation.result && rest.length < operation.result.rest.length
		? { ...operation, result: { ...operation.result, rest, tried: undefined, started: undefined } }
		: operation;

/** What failed is a start: also of a change that stays, because it is not to blame for it. */
export const isStart = ({ kind, kept }: Pick<Operation, 'kind' | 'kept'>) =>
	kind === 'start' || kind === 'restart' || kept !== undefined;

/**
 * The results of a finished operation: the snapshot from before a change of mods, the backup that was made, the files
 * that can be updated without the mods to blame; the titles of the mods that its cause names.
 */
export type Outcome = {
	/** Of a start that failed, or a change that did not help a crashed server: the mods to blame, and their last change. */
	blame: Blame | null;
	/** The search for the mod to blame that followed it. */
	search: { row: OperationRow; rest: string[] } | null;
	before: string | null;
	backup: string | null;
	/** The backup from before a change that was rolled back after it had opened the world. */
	world: string | null;
	/** Of a restore: the page from which it can be undone. */
	undo: string | null;
	/** Of a restore: where what it has replaced still lies, in the server's folder. */
	replaced: string | null;
	/** What the upgrade, or going back, has put aside and can come back. */
	kept: KeptServer | null;
	/** Of an upgrade: the mods that are parked now, `fresh` are those that it has parked. */
	parked: { mods: ParkedMod[]; fresh: string[]; game: string | null } | null;
	/** Of a change that was rolled back: what has changed the mods since. */
	since: { id: string; kind: OperationKind; subject: string | null } | null;
	/** Of one that failed: the page that says what the same would do now. */
	again: string | null;
	/** Of an upgrade that failed because of mods: the same without them. */
	without: Without | null;
	/** Where its log lies, at the failure; null when nothing of it is known. */
	log: string | null;
	rest: string[];
	titles: ModTitles;
};

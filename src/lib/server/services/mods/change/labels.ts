import { sentenceCase } from '#schemas/plain/words/sentence-case';
import { downAsBefore } from '#operations';
import type { ModChange } from './types.ts';
import type { Checkpoint, RollbackInfo } from './checkpoint.ts';

/** `Lithium 0.13.1`, `5 mods`, `5 mods and 2 dependencies`: what is counted here is counted so everywhere. */
export function subjectOf({ titles, needed = 0 }: Pick<ModChange, 'titles' | 'needed'>): string {
	const asked = titles.length - needed;
	const [first = 'Mods'] = titles;
	const what = asked > 1 ? `${asked} mods` : first;
	if (!needed) return what;
	return `${what} and ${needed} ${needed === 1 ? 'dependency' : 'dependencies'}`;
}

/** What the change means for people, and what it sets aside. */
export function rollbackInfo(change: ModChange & { by: string }, before: string): RollbackInfo {
	const { put, take, rename, by } = change;
	const [first] = put;
	const replaced = first && put.length === 1 && take.length === 1 ? take[0]!.title : null;
	const verb = put.length > 0 ? 'added' : change.kind === 'enable' ? 'added' : 'removed';
	const old = replaced && first ? versionOf(replaced, first.title) : null;
	const brings = put.flatMap(({ file }) => file?.sha512 ?? []);
	const alone = put.length === 1 && take.length <= 1 && rename.length === 0;
	return { by, what: subjectOf(change), verb, old, before, brings, alone };
}

/** `0.13.0`, where the new one has the same name except for its version. */
function versionOf(old: string, fresh: string): string | null {
	if (old === fresh) return null;
	const [olds, news] = [old.split(' '), fresh.split(' ')];
	const same = olds.findIndex((word, i) => word !== news[i]);
	return same > 0 ? olds.slice(same).join(' ') : old;
}

const DONE: Record<RollbackInfo['verb'], string> = {
	added: 'put in place',
	removed: 'taken out',
	changed: 'restored'
};

/** What went wrong, in a few words: the cause itself is kept with the operation. */
function why({ way, launching, ready, swapping }: Checkpoint): string {
	const { what, verb, alone } = way!;
	if (!swapping || !launching) return `${what} could not be ${DONE[verb]}`;
	const fate = ready ? 'did not stay up' : 'did not start';
	// Of several, mostly one alone is to blame.
	if (verb === 'added')
		return alone === false ? `the server ${fate} with ${what}` : `${what} ${fate}`;
	return `the server ${fate} ${verb === 'removed' ? `without ${what}` : `with ${what.toLowerCase()}`}`;
}

/** The world was opened by what has been taken back since. */
export const wasOpened = ({ launching, ready, opened }: Checkpoint): boolean =>
	launching === true && (ready === true || opened === true);

function world(checkpoint: Checkpoint): string {
	if (!checkpoint.launching) return '';
	const isOne = checkpoint.way!.alone === true;
	const what = isOne ? 'The new mod' : 'The new mods';
	if (!wasOpened(checkpoint)) return ` ${what} never opened the world.`;
	const unless = checkpoint.backedUp ? ', unless the backup made just before is restored' : '';
	return ` ${what} had opened the world by then: what ${isOne ? 'it' : 'they'} changed in it stays${unless}.`;
}

/** How the rollback ended, for people. */
export function rolledBack(checkpoint: Checkpoint): string {
	const { way, wasRunning } = checkpoint;
	const on = way!.old ?? 'the old mods';
	const now = wasRunning
		? `The server runs on ${on} again.`
		: `${way!.old ? `${way!.old} is` : 'The old mods are'} in place again. ${downAsBefore(checkpoint)}`;
	return `Rolled back: ${why(checkpoint)}. ${now}${world(checkpoint)}`;
}

/** Why a server is stopped that was only started to try a change. */
export function stoppedAfter(checkpoint: Checkpoint): string {
	const what = why(checkpoint);
	return `${sentenceCase(what)}, so the mods were rolled back.`;
}

/** Why nothing was taken back of a change that was done already. */
export const keptIn = ({ kept, untried }: Checkpoint): string =>
	kept || untried
		? 'Nothing was rolled back: the new mods are in place.'
		: 'Nothing was rolled back: the new mods are in place and had proven themselves before this.';
export const UNTOUCHED = 'Nothing was changed: the old mods are in place.';

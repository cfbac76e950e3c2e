import { listed } from '#schemas/plain/words/listed';
import type { Draft } from './draft.ts';
import { isLibrary } from './orphans.ts';
import { isLoadable, type Jar } from './types.ts';

const NAMED_MAX = 5;

/** Mods of these kinds alone put nothing into a world. */
const NO_CONTENT = new Set(['utility', 'management', 'social', 'library', 'optimization']);
/** The registry mixes loaders into its categories. */
const LOADERS = new Set([
	'fabric',
	'quilt',
	'forge',
	'neoforge',
	'liteloader',
	'modloader',
	'rift'
]);

/** Whether it may have blocks, items or creatures of its own. When that is unknown, it may. */
function isContent(jar: Jar) {
	if (!isLoadable(jar) || jar.side === 'client' || isLibrary(jar)) return false;
	return mayHaveContent(jar.project?.categories ?? []);
}

/** Whether a mod with these categories of the registry may have any of its own. */
export function mayHaveContent(categories: string[]) {
	const kinds = categories.filter((one) => !LOADERS.has(one));
	if (kinds.includes('optimization')) return false;
	return kinds.length === 0 || kinds.some((one) => !NO_CONTENT.has(one));
}

/** What the plan may do to the world that going back does not undo; null when nothing. */
export function worldHint(draft: Draft): string | null {
	const going: Jar[] = [];
	const changing: Jar[] = [];
	const coming: Jar[] = [];
	for (const change of draft.changes) {
		const old = change.is !== 'add' && change.old.enabled ? change.old : null;
		const jar = change.is !== 'remove' && change.jar.enabled ? change.jar : null;
		if (old) {
			if (isContent(old)) (jar ? changing : going).push(old);
		} else if (jar && isContent(jar)) coming.push(jar);
	}
	const sentences = [
		going.length &&
			`Without ${names(going)} the world may lose blocks, items and creatures for good as soon as it is opened.`,
		changing.length &&
			`The new version${changing.length === 1 ? '' : 's'} of ${names(changing)} may change blocks and items in the world, which a rollback does not undo.`,
		coming.length &&
			`${names(coming)} may add blocks, items and creatures to the world, which a rollback does not undo.`
	];
	return sentences.filter(Boolean).join(' ') || null;
}

function names(jars: Jar[]) {
	const all = jars.map(({ title }) => title);
	const rest = all.length - NAMED_MAX;
	return listed(rest > 1 ? [...all.slice(0, NAMED_MAX), `${rest} more mods`] : all);
}

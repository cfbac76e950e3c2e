import type { Listed, PlayerFiles, PlayerLists, Profile } from '#minecraft/lists';
import type { Properties } from '#minecraft/folder';
import { AppError } from '#core/errors';
import { isSwitch, LISTS, wants, type ListDeed, type SwitchDeed } from './action.ts';

export type FileDeps = {
	lists: PlayerLists;
	/** server.properties as it is now; null when it cannot be read. */
	properties: () => Promise<Properties | null>;
	bedrockPrefix: string | null;
};

/** How things stand, by the server's own files, with what a deed is about. */
export type Standing = {
	/** On the list, or turned on; null when the file cannot be read. */
	on: boolean | null;
	/** Ids of all on the list who may have been meant. */
	ids: string[];
};

const lower = (name: string) => name.toLowerCase();

/**
 * Whom a name means on a list: who is called exactly that, on the list or by his id elsewhere; else all who are called
 * so in other letters, of whom there may be several.
 */
export function meant<T extends Listed>(
	entries: readonly T[],
	name: string,
	profile: Profile | null
): T[] {
	const isProfile = (entry: T) => entry.uuid === profile?.uuid;
	const exact = entries.filter(
		(entry) => entry.name === name || (profile?.name === name && isProfile(entry))
	);
	if (exact.length) return exact;
	return entries.filter((entry) => lower(entry.name) === lower(name) || isProfile(entry));
}

export const whitelistEnabled = (properties: Properties | null): boolean | null =>
	properties && properties.get('white-list')?.trim().toLowerCase() === 'true';

/** Whose accounts are checked is the first thing to know before a name becomes an id. */
export async function profileFor(deps: FileDeps, files: PlayerFiles, name: string) {
	const properties = await deps.properties();
	if (!properties)
		throw new AppError(
			'upstream',
			'server.properties cannot be read, so whether the server checks accounts is not known. Nothing was changed.'
		);
	const onlineMode = properties.get('online-mode')?.trim().toLowerCase() !== 'false';
	const { bedrockPrefix } = deps;
	return { onlineMode, profile: deps.lists.profileOf(files, name, { onlineMode, bedrockPrefix }) };
}

export async function standingOf(deps: FileDeps, deed: ListDeed | SwitchDeed): Promise<Standing> {
	if (isSwitch(deed)) return { on: whitelistEnabled(await deps.properties()), ids: [] };
	const files = await deps.lists.read();
	const entries: Listed[] = files[LISTS[deed.action].list];
	const near = entries.filter((entry) => lower(entry.name) === lower(deed.player));
	return {
		on: meant(entries, deed.player, null).length > 0,
		ids: near.map(({ uuid }) => uuid)
	};
}

/** Whether the files changed as the deed wants it. */
export function hasChanged(deed: ListDeed | SwitchDeed, before: Standing, after: Standing) {
	const on = wants(deed);
	if (after.on === on && before.on !== on) return true;
	const [from, to] = on ? [after, before] : [before, after];
	return from.ids.some((id) => !to.ids.includes(id));
}

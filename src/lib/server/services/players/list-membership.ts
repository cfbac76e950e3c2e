import { LISTED_MAX } from '#schemas/player';
import { AppError } from '#core/errors';
import type { Listed, PlayerFiles, PlayerLists, Profile } from '#minecraft/lists';
import type { Properties } from '#minecraft/folder';
import type { PlayerCommand } from '#minecraft/commands';
import {
	isId,
	isKick,
	isSwitch,
	LISTS,
	wants,
	type ListCommand,
	type SwitchCommand
} from './action.ts';
import { fileOf } from './labels.ts';

export type FileDeps = {
	lists: PlayerLists;
	/** server.properties as it is now; null when it cannot be read. */
	properties: () => Promise<Properties | null>;
	bedrockPrefix: string | null;
};

/** The current state, according to the server's own files, of what a command is about. */
export type ListMembership = {
	/** On the list, or turned on; null when the file cannot be read. */
	on: boolean | null;
	/** Ids of all on the list who may have been meant. */
	ids: string[];
};

const lower = (name: string) => name.toLowerCase();

/**
 * Returns the entries that a name means: those called exactly that, on the list or by their id elsewhere; else all whose
 * names differ only in case, of which there may be several.
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

/** Whether accounts are checked (online-mode) decides which id a name has. */
export async function profileFor(deps: FileDeps, files: PlayerFiles, name: string) {
	const properties = await deps.properties();
	if (!properties)
		throw new AppError(
			'upstream',
			'server.properties cannot be read, so whether the server checks accounts is not known. Nothing was changed.'
		);
	const onlineMode = properties.get('online-mode')?.trim().toLowerCase() !== 'false';
	if (isId(name)) return { onlineMode, profile: { uuid: name, name } };
	const { bedrockPrefix } = deps;
	return { onlineMode, profile: deps.lists.profileOf(files, name, { onlineMode, bedrockPrefix }) };
}

export async function membershipOf(
	deps: FileDeps,
	command: ListCommand | SwitchCommand
): Promise<ListMembership> {
	if (isSwitch(command)) return { on: whitelistEnabled(await deps.properties()), ids: [] };
	const files = await deps.lists.read();
	const entries: Listed[] = files[LISTS[command.action].list];
	const near = entries.filter((entry) => lower(entry.name) === lower(command.player));
	return {
		on: meant(entries, command.player, null).length > 0,
		ids: near.map(({ uuid }) => uuid)
	};
}

/** `AppError('conflict')` when somebody would be added to a list that is full. */
export async function insistOnRoom({ lists }: FileDeps, command: PlayerCommand) {
	if (isSwitch(command) || isKick(command) || !wants(command)) return;
	const { list } = LISTS[command.action];
	const entries: Listed[] = (await lists.read())[list];
	if (entries.length < LISTED_MAX[list]) return;
	const profile = { uuid: command.player, name: command.player };
	if (meant(entries, command.player, profile).length > 0) return;
	throw new AppError(
		'conflict',
		`${fileOf(command)} has ${entries.length} entries already, and nobody is added to it from here any more. Remove some that are not needed.`
	);
}

/** Whether the files changed as the command wants it. */
export function hasChanged(
	command: ListCommand | SwitchCommand,
	before: ListMembership,
	after: ListMembership
) {
	const on = wants(command);
	if (after.on === on && before.on !== on) return true;
	const [from, to] = on ? [after, before] : [before, after];
	return from.ids.some((id) => !to.ids.includes(id));
}

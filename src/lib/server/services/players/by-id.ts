import { AppError } from '#core/errors';
import { isId } from './action.ts';
import { profileFor } from './list-membership.ts';
import type { OverviewDeps } from './overview.ts';

/**
 * The name by which the server's commands mean exactly this player; their id when there is none. `AppError('invalid')`
 * when nothing on the server knows the id.
 */
export async function nameOrId(deps: OverviewDeps, uuid: string): Promise<string> {
	const [online, files, lastSeen] = await Promise.all([
		deps.online(),
		deps.lists.read(),
		deps.lastSeen()
	]);
	const playing = online.find((player) => player.uuid === uuid);
	if (playing) return playing.name;
	const { ops, whitelist, bans, cache } = files;
	const entries = [...cache, ...whitelist, ...ops, ...bans].filter((entry) => entry.uuid === uuid);
	if (entries.length === 0 && !lastSeen.has(uuid)) throw unknownId();
	for (const { name } of entries) {
		// The name may have gone to somebody else.
		const { profile } = await profileFor(deps, files, name);
		if (name !== uuid && profile?.uuid === uuid) return name;
	}
	return uuid;
}

/** A running server takes an id for a name, and would list a player of that name. */
export function insistOnName(player: string) {
	if (isId(player))
		throw new AppError(
			'conflict',
			'No name is known for this id, and a running server can only be told names. Do it while the server is stopped, or once they have joined.'
		);
}

const unknownId = () => {
	const message = 'Nobody with this id is known on this server';
	return new AppError('invalid', `${message}.`, { issues: [{ path: 'uuid', message }] });
};

import { chosenRestore } from '$lib/schemas/backup';
import { ANNOUNCEMENT_MAX } from '$lib/schemas/server';
import { formActions, found, page } from '#core/http';

export const load = page('page /admin/backups/restore', async ({ locals: { app }, query }) => {
	const [backups, { known }] = await Promise.all([app.backups.list(), app.players.list()]);
	const backup = found(backups.find(({ id }) => id === query.backup));
	// Where there is only one there is nothing to choose.
	const [only, another] = backup.worlds;
	const preselected = query.scope !== 'all' && another === undefined ? (only ?? '') : '';
	const asked = { ...query, world: query.world || preselected };
	const wish = chosenRestore(asked);
	return {
		asked,
		backup,
		announcementMax: ANNOUNCEMENT_MAX,
		players: known.map(({ uuid, name }) => ({ uuid, name })),
		plan: wish && (await app.backups.describeRestore(backup.id, wish))
	};
});

export const actions = formActions('page /admin/backups/restore', {
	restore: async ({ body: { backup, wish }, locals }) => ({
		message: 'The restore has started.',
		operation: await locals.app.backups.restore(backup, wish, locals.actor)
	})
});

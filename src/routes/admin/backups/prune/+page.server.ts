import { formActions, page } from '#core/http';

export const load = page('page /admin/backups/prune', async ({ locals: { app }, query }) => {
	const old = await app.snapshots.olderThan(query.keep);
	const none = old.length === 0 && (await app.snapshots.list()).length === 0;
	return { keep: query.keep, none, old };
});

export const actions = formActions('page /admin/backups/prune', {
	prune: async ({ body, locals }) => {
		const { removed } = await locals.app.snapshots.prune(body.keep, locals.actor);
		const words =
			removed === 1 ? 'One snapshot was removed.' : `${removed} snapshots were removed.`;
		return {
			message: removed ? words : 'There was nothing to remove.',
			location: '/admin/backups?tab=snapshots'
		};
	}
});

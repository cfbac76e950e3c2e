import { z } from 'zod';
import { BackupId, BackupRestore } from '$lib/schemas/backup';
import { action, found, page, parse } from '#core/http';
import type { Actions } from './$types';

/** A form sends fields that were left alone as empty text. */
const Asked = z.object({
	backup: BackupId,
	scope: BackupRestore.shape.scope.catch('all').default('all'),
	world: z.string().default(''),
	uuid: z.string().default('')
});

/** What is asked for: null while the world or the player is still to be chosen. */
function wishOf({ scope, world, uuid }: z.infer<typeof Asked>) {
	const wish = { scope, ...(world && { world }), ...(uuid && { uuid }) };
	return BackupRestore.safeParse(wish).data ?? null;
}

export const load = page(async ({ locals: { app }, url }) => {
	const asked = parse(Asked, Object.fromEntries(url.searchParams));
	const [backups, { known }] = await Promise.all([app.backups.list(), app.players.list()]);
	const backup = found(backups.find(({ id }) => id === asked.backup));
	const wish = wishOf(asked);
	return {
		asked,
		backup,
		players: known.map(({ uuid, name }) => ({ uuid, name })),
		plan: wish && (await app.backups.describeRestore(backup.id, wish))
	};
});

export const actions = {
	restore: action(Asked, async (asked, { locals }) => {
		const { backup, scope, world, uuid } = asked;
		const wish = parse(BackupRestore, { scope, ...(world && { world }), ...(uuid && { uuid }) });
		const operation = await locals.app.backups.restore(backup, wish, locals.actor);
		return { message: 'The restore has begun.', operation };
	})
} satisfies Actions;

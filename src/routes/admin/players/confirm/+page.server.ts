import { z } from 'zod';
import { ASKED, TABS } from '../views';
import { PlayerAction, PlayerUuid, REASON_MAX } from '$lib/schemas/player';
import { page, parse, parseAddress } from '#core/http';

const Question = z.object({
	do: z.enum(ASKED),
	/** Where to go back to: a player's page, or else a tab of the list. */
	of: PlayerUuid.nullable().catch(null).default(null),
	tab: z.enum(TABS).catch('online')
});

export const load = page('page /admin/players/confirm', ({ url, locals }) => {
	const { do: action, of, tab } = parseAddress(Question, Object.fromEntries(url.searchParams));
	const field = (name: string) => url.searchParams.get(name) ?? '';
	const asked = { action, player: field('player'), reason: field('reason') };
	const { player = '', reason = '' } = parse(PlayerAction, asked);
	return {
		action,
		player,
		reason,
		of,
		tab,
		mayOp: locals.session!.user.role === 'superadmin',
		limits: { reason: REASON_MAX }
	};
});

import { z } from 'zod';
import { ASKED, TABS } from '$lib/schemas/plain/player-views';
import { PLAYER_NAME_MAX } from '$lib/schemas/plain/player-name';
import { PlayerUuid } from '$lib/schemas/common';
import { playerName, Reason, REASON_MAX } from '$lib/schemas/player';
import { page, parseAddress } from '#core/http';

const Question = z.object({
	do: z.enum(ASKED),
	/** Where to go back to: a player's page, or else a tab of the list. */
	of: PlayerUuid.nullable().catch(null).default(null),
	tab: z.enum(TABS).catch('online')
});

export const load = page('page /admin/players/confirm', async ({ url, locals }) => {
	const { do: action, of, tab } = parseAddress(Question, Object.fromEntries(url.searchParams));
	const field = (name: string) => (url.searchParams.get(name) ?? '').trim();
	const [player, reason] = [field('player'), field('reason')];
	const { bedrockPrefix } = locals.app.env;
	const about = z.object({ player: playerName(bedrockPrefix), reason: Reason });
	const issues = about.safeParse({ player, reason }).error?.issues.map(({ path, message }) => ({
		path: path.join('.'),
		message
	}));
	return {
		...{ action, player, reason, of, tab },
		/** What has to be corrected before it can be asked about. */
		wrong: issues ? { issues, values: { player, reason } } : null,
		isKnown: !!issues || (await locals.app.players.knows(player)),
		mayOp: locals.session!.user.role === 'superadmin',
		limits: { name: PLAYER_NAME_MAX, reason: REASON_MAX }
	};
});

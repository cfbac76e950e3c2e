import { z } from 'zod';
import { PLAYER_ORDERS, TABS } from '$lib/schemas/plain/player-views';
import { PLAYER_NAME_MAX } from '$lib/schemas/plain/player-name';
import { PlayerUuid } from '$lib/schemas/common';
import { REASON_MAX } from '$lib/schemas/player';
import { formActions, page, parse } from '#core/http';
import { playerActions } from './actions';

const SEARCH_MAX = 100;

/** The query parameters; invalid ones show the beginning. */
const View = z.object({
	tab: z.enum(TABS).catch('online'),
	order: z.enum(PLAYER_ORDERS).catch('seen'),
	player: PlayerUuid.nullable().catch(null).default(null),
	/** Who is to be put on the list, filled in. */
	name: z.string().max(PLAYER_NAME_MAX).catch('').default('')
});

export const load = page('page /admin/players', async ({ locals: { app }, url, depends }) => {
	depends('craftwarden:players');
	// The search is the browser's, which asks for nothing while somebody types.
	const [tab, order, player] = ['tab', 'order', 'player'].map((key) => url.searchParams.get(key));
	const name = url.searchParams.get('name') ?? '';
	const view = parse(View, { tab, order, player, name });
	const [players, { rcon }, shown] = await Promise.all([
		app.players.list(),
		app.installation(),
		view.player === null ? null : app.players.find(view.player)
	]);
	return {
		...view,
		players,
		shown,
		rcon: rcon.enabled,
		refused: app.rconRefusal(),
		bedrockPrefix: app.env.bedrockPrefix,
		limits: { name: PLAYER_NAME_MAX, reason: REASON_MAX, search: SEARCH_MAX }
	};
});

export const actions = formActions('page /admin/players', playerActions);

import { PlayerAction } from '$lib/schemas/player';
import { command, endpoint } from '#core/http';

export const GET = endpoint(({ locals }) => locals.app.players.list());

export const POST = command(PlayerAction, (input, { locals }) =>
	locals.app.players.act(input, locals.actor)
);

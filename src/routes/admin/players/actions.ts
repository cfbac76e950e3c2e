import type { PlayerAction } from '$lib/schemas/player';

/** Its name in the address has become part of the body. */
async function act({ body, locals }: { body: PlayerAction; locals: App.Locals }) {
	const { message, changed } = await locals.app.players.act(body, locals.actor);
	return { message, changed };
}

/** The same on the list and on a player's own page. */
export const playerActions = {
	op: act,
	deop: act,
	whitelistAdd: act,
	whitelistRemove: act,
	whitelistOn: act,
	whitelistOff: act,
	ban: act,
	pardon: act,
	kick: act
};

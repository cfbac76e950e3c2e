import { z } from 'zod';
import { PlayerAction, type PlayerVerb } from '$lib/schemas/player';
import { action } from '#core/http';

/** One form action for each deed: the name in the address decides, whatever the form says. */
const act = (verb: PlayerVerb) =>
	action(
		z.preprocess((fields) => ({ ...(fields as object), action: verb }), PlayerAction),
		async (input, { locals }) => {
			const { message } = await locals.app.players.act(input, locals.actor);
			return { message };
		}
	);

/** The same on the list and on a player's own page. */
export const playerActions = {
	op: act('op'),
	deop: act('deop'),
	whitelistAdd: act('whitelist-add'),
	whitelistRemove: act('whitelist-remove'),
	whitelistOn: act('whitelist-on'),
	whitelistOff: act('whitelist-off'),
	ban: act('ban'),
	pardon: act('pardon'),
	kick: act('kick')
};

import { z } from 'zod';
import type { Role } from '#schemas/common';
import { PlayerAction, PlayerRef, PlayerResult, Players, type PlayerVerb } from '#schemas/player';
import { PlayerStatsList, PlaytimeList, BoardQuery } from '#schemas/stats';
import { action, json, page } from './define.ts';

/** Making operators is reserved for superadmins: operators may do anything in the game. */
const roleFor = (verb: PlayerVerb): Role =>
	verb === 'op' || verb === 'deop' ? 'superadmin' : 'admin';

/** The name in the address decides what is done, whatever the form says. */
const act = (verb: PlayerVerb) =>
	action({
		role: roleFor(verb),
		body: z.preprocess((fields) => ({ ...(fields as object), action: verb }), PlayerAction)
	});

/** The same on the list and on a player's own page. */
const actions = {
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

export const players = {
	'page /admin/players': page({ role: 'admin', actions }),
	'page /admin/players/[uuid]': page({ role: 'admin', params: PlayerRef, actions }),
	'page /admin/players/confirm': page({ role: 'admin' }),
	'page /admin/stats': page({ role: 'admin', query: BoardQuery }),
	'GET /api/players': json({
		role: 'admin',
		summary: 'Who plays, operators, whitelist, bans, and everyone seen',
		answers: { 200: Players }
	}),
	'POST /api/players': json({
		role: 'admin',
		summary: 'Change a list, or kick; op and deop are for superadmins',
		body: PlayerAction,
		refine: ({ body }) => roleFor(body.action),
		answers: { 200: PlayerResult }
	}),
	'GET /api/players/stats': json({
		role: 'admin',
		summary: 'What every player has done, by the game’s own files',
		answers: { 200: PlayerStatsList }
	}),
	'GET /api/players/playtime': json({
		role: 'admin',
		summary: 'Who played for how long, and when last',
		answers: { 200: PlaytimeList }
	})
};

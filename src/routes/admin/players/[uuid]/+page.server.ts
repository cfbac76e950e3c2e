import { PlayerRef, REASON_MAX } from '$lib/schemas/player';
import { page, parseParams } from '$lib/server/core/http';
import { playerActions } from '../actions';
import type { Actions } from './$types';

export const load = page(async ({ locals, params }) => ({
	shown: await locals.app.players.find(parseParams(PlayerRef, params).uuid),
	limits: { reason: REASON_MAX }
}));

export const actions = playerActions satisfies Actions;

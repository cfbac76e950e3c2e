import { Empty } from '#schemas/server';
import { Upgrades, UpgradesQuery } from '#schemas/upgrade';
import { action, json, page } from './define.ts';

export const upgrades = {
	'page /admin/server/upgrade': page({
		role: 'admin',
		actions: { recheck: action({ role: 'admin', body: Empty }) }
	}),
	'GET /api/upgrades': json({
		role: 'admin',
		summary: 'Which newer game versions the installed mods support, and which mods are late',
		query: UpgradesQuery,
		answers: { 200: Upgrades }
	})
};

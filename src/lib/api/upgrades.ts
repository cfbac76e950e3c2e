import { z } from 'zod';
import { UpdatesQuery, Upgrades } from '#schemas/mod';
import { Empty } from '#schemas/server';
import {
	UpgradeForm,
	UpgradePlan,
	UpgradeStart,
	UpgradeStartForm,
	UpgradeWish
} from '#schemas/software/upgrade';
import { OperationAnswer } from './answers.ts';
import { action, json, page } from './define.ts';

export const upgrades = {
	'page /admin/server/upgrade': page({
		role: 'admin',
		actions: {
			recheck: action({ role: 'admin', body: Empty }),
			plan: action({ role: 'superadmin', body: UpgradeForm }),
			start: action({ role: 'superadmin', body: UpgradeStartForm })
		}
	}),
	'GET /api/upgrades': json({
		role: 'admin',
		summary: 'Which newer game versions the installed mods support, and which mods are late',
		query: UpdatesQuery,
		answers: { 200: Upgrades }
	}),
	'POST /api/upgrades/plan': json({
		role: 'superadmin',
		summary: 'What going to another game version would do',
		body: UpgradeWish,
		answers: { 200: z.object({ plan: UpgradePlan }) }
	}),
	'POST /api/upgrades': json({
		role: 'superadmin',
		summary: 'Go to another game version exactly as planned',
		body: UpgradeStart,
		answers: { 202: OperationAnswer }
	})
};

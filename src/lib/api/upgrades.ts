import { z } from 'zod';
import { UpdatesQuery, Upgrades } from '#schemas/mod';
import { Empty } from '#schemas/server';
import {
	GoBack,
	GoBackForm,
	GoBackPlan,
	KeptForm,
	KeptQuery,
	KeptRef,
	KeptServer
} from '#schemas/software/kept';
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
	'page /admin/server/back': page({
		role: 'superadmin',
		query: KeptQuery,
		actions: {
			goBack: action({ role: 'superadmin', body: GoBackForm }),
			remove: action({ role: 'superadmin', body: KeptForm })
		}
	}),
	'GET /api/upgrades/kept': json({
		role: 'admin',
		summary: 'What upgrades have put aside, and until when it can come back',
		answers: { 200: z.object({ kept: z.array(KeptServer) }) }
	}),
	'GET /api/upgrades/kept/[id]': json({
		role: 'superadmin',
		summary: 'What going back to it would do',
		params: KeptRef,
		answers: { 200: z.object({ plan: GoBackPlan }) }
	}),
	'POST /api/upgrades/kept/[id]': json({
		role: 'superadmin',
		summary: 'Go back: game, mods, settings and world become what they were',
		params: KeptRef,
		body: GoBack,
		answers: { 202: OperationAnswer }
	}),
	'DELETE /api/upgrades/kept/[id]': json({
		role: 'superadmin',
		summary: 'Remove it before its time',
		params: KeptRef,
		answers: { 204: null }
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

import { z } from 'zod';
import { Settings, SettingsForms, SettingsPatch } from '#schemas/settings';
import { action, json, page } from './define.ts';

const answers = { 200: z.object({ settings: Settings }) };

export const settings = {
	'page /admin/settings': page({
		role: 'superadmin',
		actions: {
			save: action({ role: 'superadmin', body: SettingsForms.restart }),
			saveMods: action({ role: 'superadmin', body: SettingsForms.mods }),
			saveTrials: action({ role: 'superadmin', body: SettingsForms.trials }),
			saveBackups: action({ role: 'superadmin', body: SettingsForms.backups }),
			saveGraphs: action({ role: 'superadmin', body: SettingsForms.graphs }),
			savePerformance: action({ role: 'superadmin', body: SettingsForms.performance })
		}
	}),
	'GET /api/settings': json({
		role: 'superadmin',
		summary: 'What can be changed while it runs',
		answers
	}),
	'PATCH /api/settings': json({
		role: 'superadmin',
		summary: 'Change some of it',
		body: SettingsPatch,
		answers
	})
};

import { listed } from '../plain/words/listed.ts';
import { defineTask } from './task-kind.ts';

export const modsCheck = defineTask({
	type: 'mods-check',
	label: 'Look for mod updates',
	icon: 'package',
	long: true,
	options: {},
	fields: {},
	does: () => 'look for mod updates',
	async run(_, { checkMods }) {
		const updates = await checkMods();
		if (!updates.length) return 'No mod has an update.';
		return `${updates.length === 1 ? 'One mod has an update' : `${updates.length} mods have updates`}: ${listed(updates, 12)}.`;
	}
});

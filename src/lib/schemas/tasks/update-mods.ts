import { listed } from '../plain/words/listed.ts';
import { defineTask, TaskSkipped } from './task-kind.ts';

export const updateMods = defineTask({
	type: 'update-mods',
	label: 'Update all mods',
	icon: 'package',
	long: true,
	options: {},
	fields: {},
	disconnects: () => true,
	does: () => 'update all mods',
	async run(_, { updateMods }) {
		const updated = await updateMods();
		if (!updated.length) throw new TaskSkipped('No mod has an update.');
		return `${updated.length === 1 ? 'One mod was' : `${updated.length} mods were`} updated: ${listed(updated, 12)}.`;
	}
});

import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../../tests/faults/temp.ts';
import { Settings } from '#schemas/settings';
import { createStateFile } from '#storage/state-file';
import { SETTINGS_DEFAULTS, SETTINGS_VERSION, createSettings } from './index.ts';

const ann = { name: 'ann', role: 'superadmin', address: '192.0.2.1' } as const;

async function setup() {
	const file = path.join(await tempDir(), 'settings.json');
	const told: unknown[] = [];
	const open = () =>
		createSettings({
			file: createStateFile<Settings>({
				...{ file, schema: Settings, version: SETTINGS_VERSION, defaults: SETTINGS_DEFAULTS },
				warn: (message) => told.push(message)
			}),
			record: async (by, action, facts) => void told.push({ by: by.name, action, ...facts }),
			publish: (fact) => told.push(fact)
		});
	return { file, told, open, settings: open() };
}

test('a change is kept, audited with the previous value, and published', async () => {
	const { settings, open, told } = await setup();
	const changed = { ...SETTINGS_DEFAULTS, autoRestart: true, autoRestartLimit: 5 };
	const patch = { autoRestart: true, autoRestartLimit: 5, autoRestartWindowMinutes: undefined };
	expect(await settings.change(patch, ann)).toEqual({ settings: changed, changed: true });
	expect(await open().get()).toEqual(changed);
	expect(told).toEqual([
		{
			by: 'ann',
			action: 'settings.change',
			detail: 'autoRestart: false → true, autoRestartLimit: 3 → 5'
		},
		{ type: 'settings', settings: changed }
	]);
});

test('a change to the current value does nothing and publishes nothing', async () => {
	const { settings, told } = await setup();
	expect(await settings.change({ autoRestart: false }, ann)).toEqual({
		...{ settings: SETTINGS_DEFAULTS, changed: false }
	});
	expect(told).toEqual([]);
});

test('when it cannot be saved the old settings stay, the failure is audited and nothing published', async () => {
	const { settings, file, told } = await setup();
	await settings.change({ autoRestartLimit: 4 }, ann);
	told.length = 0;
	await mkdir(path.join(`${file}.prev`, 'in the way'), { recursive: true });
	const refused = settings.change({ autoRestart: true }, ann);
	await expect(refused).rejects.toThrow('could not be saved');
	expect((await settings.get()).autoRestart).toBe(false);
	expect(told).toEqual([
		{ by: 'ann', action: 'settings.change', result: 'failed', detail: 'autoRestart: false → true' }
	]);
	await rm(`${file}.prev`, { recursive: true });
});

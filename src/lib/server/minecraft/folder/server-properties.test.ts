import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '#core/clock';
import { createPropertiesReader } from './server-properties.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'craftwarden-test-'));
const file = path.join(dir, 'server.properties');
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('the cached file equals the file on disk, however it changes', async () => {
	const read = createPropertiesReader(dir, systemClock);
	const password = async () => (await read())?.get('rcon.password');
	// Long ago, so that it is remembered, and never twice at the same time.
	const write = (value: string, atS: number) => {
		writeFileSync(file, `rcon.password=${value}\n`);
		utimesSync(file, atS, atS);
	};

	expect(await password()).toBeNull();
	for (const [i, value] of ['first', 'other', 'other', 'third'].entries()) {
		write(value, 1e9 + i);
		expect(await password()).toBe(value);
		expect(await password()).toBe(value);
	}
	rmSync(file);
	expect(await password()).toBeNull();
});

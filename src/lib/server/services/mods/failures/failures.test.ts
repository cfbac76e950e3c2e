import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStateFile } from '../../../storage/state-file/index.ts';
import {
	createFailedVersions,
	FAILED_DEFAULTS,
	FAILED_VERSION,
	FailedVersionsState,
	isLeftOut,
	type FailedVersion
} from './index.ts';

let dir: string;
beforeEach(async () => {
	dir = await mkdtemp(path.join(tmpdir(), 'failed-versions-'));
});
afterEach(() => rm(dir, { recursive: true }));

const file = () => path.join(dir, 'failed-versions.json');
const open = () =>
	createFailedVersions(
		createStateFile({
			...{ file: file(), schema: FailedVersionsState, version: FAILED_VERSION },
			...{ defaults: FAILED_DEFAULTS, warn: () => {} }
		})
	);
const SERVER = { loader: 'fabric' as const, loaderVersion: '0.16.9', gameVersion: '1.21.1' };
const LITHIUM: FailedVersion = {
	...{ projectId: 'lithium', versionId: 'v2', version: '0.13.1', sha512: 'abc', ...SERVER },
	operationId: '20260605T101112131Z-1a2b',
	...{ at: '2026-06-05T10:11:12.131Z', alone: true, certain: false, onCopy: false, control: true }
};

test('a failure is known after a restart, for the same game and loader version only', async () => {
	await open().remember([LITHIUM]);
	const failures = open();
	expect((await failures.of(SERVER))('abc')).toEqual(LITHIUM);
	expect((await failures.of(SERVER))('other')).toBeNull();
	expect((await failures.of(SERVER))(null)).toBeNull();
	expect((await failures.of({ ...SERVER, loaderVersion: '0.17.0' }))('abc')).toBeNull();
	expect((await failures.of({ ...SERVER, gameVersion: '1.21.4' }))('abc')).toBeNull();
});

test('it is kept once, and what is certain stays certain', async () => {
	const failures = open();
	await failures.remember([{ ...LITHIUM, certain: true }]);
	await failures.remember([{ ...LITHIUM, at: '2026-06-06T00:00:00.000Z', alone: false }]);
	const kept = JSON.parse(await readFile(file(), 'utf8')).data.failed;
	expect(kept).toMatchObject([{ at: '2026-06-06T00:00:00.000Z', alone: false, certain: true }]);
});

test('a jar that fails alone on a copy, and did so before, is certain; the same operation reported twice is not', async () => {
	const failures = open();
	const first = { ...LITHIUM, onCopy: true };
	await failures.remember([first]);
	await failures.remember([first]);
	expect((await failures.of(SERVER))('abc')).toMatchObject({ certain: false });
	const second = { ...first, operationId: '20260606T101112131Z-1a2b' };
	await failures.remember([{ ...second, alone: false }]);
	await failures.remember([second]);
	// The time before it was not alone.
	expect((await failures.of(SERVER))('abc')).toMatchObject({ certain: false });
	await failures.remember([{ ...second, operationId: '20260607T101112131Z-1a2b' }]);
	expect((await failures.of(SERVER))('abc')).toMatchObject({ certain: true });
});

test('a failure that was never compared with the set without the mod is not certain', async () => {
	const failures = open();
	await failures.remember([{ ...LITHIUM, control: false }]);
	const later = { ...LITHIUM, operationId: '20260606T101112131Z-1a2b' };
	await failures.remember([{ ...later, onCopy: true }]);
	expect((await failures.of(SERVER))('abc')).toMatchObject({ certain: false });
	await failures.remember([
		{ ...later, operationId: '20260607T101112131Z-1a2b', control: false, onCopy: false }
	]);
	expect((await failures.of(SERVER))('abc')).toMatchObject({ certain: false, control: true });
});

test.each([
	[{ certain: true, onCopy: true }, true],
	[{ certain: false, onCopy: true }, false],
	[{ certain: false, onCopy: false }, true],
	[{ certain: false, onCopy: false, control: false }, false],
	[{ certain: true, onCopy: false, control: false }, true]
])('"update all" with %j: left out %s', (facts, left) => {
	expect(isLeftOut({ ...LITHIUM, ...facts })).toBe(left);
});

test('a file of an earlier version says nothing about copies: it was the server that did not start', async () => {
	const old: Partial<FailedVersion> = { ...LITHIUM };
	delete old.onCopy;
	delete old.control;
	await writeFile(file(), JSON.stringify({ version: FAILED_VERSION, data: { failed: [old] } }));
	expect((await open().of(SERVER))('abc')).toEqual(LITHIUM);
});

test('a person may forget one', async () => {
	const failures = open();
	await failures.remember([LITHIUM, { ...LITHIUM, versionId: 'v3', sha512: 'def' }]);
	expect(await failures.forget('v2')).toMatchObject({ version: '0.13.1' });
	expect(await failures.forget('v2')).toBeNull();
	expect((await failures.of(SERVER))('abc')).toBeNull();
	expect((await failures.of(SERVER))('def')).not.toBeNull();
});

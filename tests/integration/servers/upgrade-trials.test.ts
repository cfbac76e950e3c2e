import { once } from 'node:events';
import { readdir, realpath, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#core/clock';
import { findOut } from '../../../src/lib/server/trial/can.ts';
import { fakeJar, makeJava } from '../../fakes/game/java-that-reads-mods.ts';
import {
	after,
	BEFORE,
	fill,
	GOOD,
	openUpgrades,
	treeOf,
	trialsAt
} from '../../fakes/upgrade-desk.ts';
import { ann, createKit, finished } from '../../faults/operations-kit.ts';
import { tempDir } from '../../faults/temp.ts';

const { problem: why } = await findOut();

/** A server, the service from which its launcher downloads the game, and trials in the sandbox. */
async function setup({ answers = true } = {}) {
	const dir = await realpath(await tempDir());
	const asked: string[] = [];
	const service = createServer(({ url }, answer) => {
		asked.push(url!);
		answer.end('the new game');
	}).listen(0, '127.0.0.1');
	await once(service, 'listening');
	const { port } = service.address() as AddressInfo;
	onTestFinished(() => void service.close());
	if (!answers) service.close();

	const java = await makeJava(dir, `http://127.0.0.1:${port}/game.jar`);
	await fill(path.join(dir, 'data/server'), {
		...BEFORE,
		'mods/late.jar': fakeJar({ id: 'late', does: 'crash' }),
		'mods/own.jar': fakeJar({ id: 'own', does: 'connect', target: String(port) }),
		'libraries/old.jar': 'an old library'
	});
	const kit = await createKit({ dir: path.join(dir, 'data') });
	// At the lowest priority, beside other tests, it would take minutes.
	const can = async () => ({ problem: null, gently: [] });
	const real = trialsAt(dir, java, { clock: systemClock, trusted: false, can });
	const lines: string[] = [];
	const trials: typeof real = {
		...real,
		boot: (jars, how) => real.boot(jars, { ...how, tell: (line) => void lines.push(line) })
	};
	const desk = openUpgrades({
		...{ dir, operations: kit.operations, clock: systemClock },
		trouble: { trials, java }
	});
	onTestFinished(desk.close);
	await writeFile(path.join(dir, 'running'), '');
	const before = await treeOf(desk.serverDir);
	return {
		...{ lines, asked, before, serverDir: desk.serverDir },
		async upgrade(parks: boolean) {
			const input = await desk.inputFor(GOOD, { parks });
			return finished(kit.operations, await kit.operations.run('upgrade', input, ann, GOOD));
		},
		async left() {
			const own = await readdir(desk.serverDir);
			return [
				...(await readdir(path.join(dir, 'data/trials'))),
				...own.filter((name) => name.startsWith('.craftwarden-upgrade-'))
			];
		},
		runs: async () => (await readdir(dir)).includes('running')
	};
}

describe.skipIf(why)(`a game that its launcher downloads${why ? ` (${why})` : ''}`, () => {
	test('is downloaded once, tried without the network, and put in place exactly as it was tried', async () => {
		const at = await setup();
		const ended = await at.upgrade(true);
		expect(ended).toMatchObject({ state: 'succeeded', boots: [{ verdict: 'good' }] });
		expect(at.asked).toEqual(['/game.jar']);
		expect(at.lines.join('\n')).toMatch(/refused network/);
		expect(at.lines.join('\n')).not.toMatch(/REACHED/);
		expect(await treeOf(at.serverDir)).toEqual({
			...after(GOOD),
			'mods/late.jar.disabled': at.before['mods/late.jar'],
			'mods/own.jar': at.before['mods/own.jar'],
			'libraries/old.jar': 'an old library',
			'libraries/lib.jar': 'a library',
			'.fabric/server/game.jar': 'the new game'
		});
	});

	test('starts only without a bad mod: the server is left alone', async () => {
		const at = await setup();
		const ended = await at.upgrade(false);
		expect(ended).toMatchObject({
			state: 'failed',
			cause: { message: expect.stringContaining('the server itself was never stopped') },
			boots: [
				{ verdict: 'bad', control: false },
				{ verdict: 'good', control: true }
			]
		});
		expect(await at.runs()).toBe(true);
		expect([await treeOf(at.serverDir), await at.left()]).toEqual([at.before, []]);
	});

	test('cannot be downloaded now: there is no trial, the step says so, and the upgrade continues', async () => {
		const at = await setup({ answers: false });
		const ended = await at.upgrade(true);
		expect(ended.boots).toBeUndefined();
		expect(ended.steps.find(({ id }) => id === 'trial')?.detail).toMatch(
			/^The trial is inconclusive: The launcher did not download the game\. The last line that it printed: “java\.net\.ConnectException/
		);
		expect(ended.state).toBe('succeeded');
	});
});

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { hasSandbox } from '#sources';
import type { SoftwareWish } from '#schemas/software/software';
import { ADA, setup } from '../../../../../tests/fakes/software-app.ts';
import { processesIn } from '../../../../../tests/harness.ts';

const EMPTY: string[] = [];
/** Each test starts whole servers, so they run concurrently. */
vi.setConfig({ testTimeout: 300_000 });

const steps = ({ steps }: { steps: { id: string; status: string }[] }) =>
	steps.map(({ id, status }) => `${id} ${status}`);
const DONE = ['lookup done', 'java skipped', 'download done', 'install done', 'swap done'];

test.concurrent.for([
	['vanilla', 'server-1.21.1.jar', '1.21.1', 'java -Xms512M'],
	['fabric', 'fabric-server-mc.1.21.1-loader.0.18.0-launcher.1.1.0.jar', '0.18.0', 'java -Xms512M'],
	['paper', 'paper-1.21.1-133.jar', '133', 'java -Xms512M']
] as const)(
	'%s: an empty folder becomes a server that runs',
	async ([loader, jar, build, script], { onTestFinished }) => {
		const world = await setup({}, onTestFinished);
		const { app, apply, wish, names, text, port, audited } = world;
		const planned = await app.software.plan(wish(loader));
		expect(planned).toMatchObject({ add: [jar, 'eula.txt', 'server.properties'], leaveOut: [] });
		expect(await names()).toEqual(EMPTY);
		const operation = await apply(wish(loader, { motd: 'Hello' }));
		expect(operation).toMatchObject({ kind: 'create', state: 'succeeded', cause: null });
		expect(steps(operation)).toEqual([...DONE, 'restart done', 'verify done']);
		expect(await names()).toEqual(expect.arrayContaining([jar, 'eula.txt', 'start.sh', 'world']));
		expect((await names()).filter((name) => name.startsWith('.'))).toEqual([]);
		expect(await text('start.sh')).toContain(`${script} -Xmx512M -jar ${jar} nogui`);
		expect(await text('eula.txt')).toMatch(/^eula=true$/m);
		const properties = await text('server.properties');
		expect(properties).toMatch(new RegExp(`^server-port=${port}$`, 'm'));
		expect(properties).toMatch(/^motd=Hello$/m);
		expect(properties).toMatch(/^rcon\.password=\S{24}$/m);
		expect(await app.software.state()).toMatchObject({
			...{ loader, gameVersion: '1.21.1' },
			java: { required: 21, chosen: { version: '25.0.1' } }
		});
		expect((await app.status.get()).state).toBe('running');
		const eula = (await audited()).find(({ action }) => action === 'setup.eula');
		expect(eula).toMatchObject({ by: 'ada', result: 'done' });
		expect(eula?.detail).toMatch(
			/https:\/\/aka\.ms\/MinecraftEULA\) as of \d{4}-\d\d-\d\d, for .*1\.21\.1/
		);
		expect(build).toBeTruthy();
		// An existing one is never overwritten by another.
		await expect(app.software.plan(wish('vanilla'))).rejects.toMatchObject({ kind: 'conflict' });
	}
);

test.concurrent.for([
	['neoforge', '1.21.1', 'libraries/net/neoforged/neoforge/21.1.209/unix_args.txt'],
	['forge', '1.20.1', 'libraries/net/minecraftforge/forge/1.20.1-47.2.0/unix_args.txt']
] as const)(
	'%s: its installer produces a server that runs',
	async ([loader, gameVersion, args], context) => {
		const { app, apply, wish, names, text } = await setup({}, context.onTestFinished);
		const operation = await apply(wish(loader, { gameVersion }));
		expect(operation).toMatchObject({ state: 'succeeded', cause: null });
		expect(await names()).toEqual(
			expect.arrayContaining(['libraries', 'run.sh', 'user_jvm_args.txt'])
		);
		expect((await names()).filter((name) => name.endsWith('.log') || name.startsWith('.'))).toEqual(
			[]
		);
		expect(await text('user_jvm_args.txt')).toMatch(/^-Xmx512M$/m);
		expect(await text(args)).toContain(gameVersion);
		expect(await app.software.state()).toMatchObject({ loader, gameVersion });
	}
);

test.concurrent(
	'an installer that writes elsewhere finds nothing to write to, or leaves nothing behind',
	async ({ onTestFinished }) => {
		const { fake, apply, wish, names } = await setup({}, onTestFinished);
		fake.installersAre('outside');
		const operation = await apply(wish('neoforge'));
		expect(await names()).not.toContain('escaped.txt');
		expect(operation.state).toBe((await hasSandbox()) ? 'succeeded' : operation.state);
	}
);

test.concurrent(
	'another build of the loader replaces the present one, and is removed when it fails',
	async ({ onTestFinished }) => {
		const { app, apply, wish, names, text, root } = await setup({}, onTestFinished);
		await apply(wish('fabric'));
		const change = (build: string): SoftwareWish => ({ do: 'change', loader: 'fabric', build });
		const before = (await names()).filter((name) => name.endsWith('.jar'));
		const operation = await apply(change('0.18.1'));
		expect(operation).toMatchObject({ kind: 'change-software', state: 'succeeded', cause: null });
		expect(await app.software.state()).toMatchObject({ loader: 'fabric', loaderVersion: '0.18.1' });
		const jars = (await names()).filter((name) => name.endsWith('.jar'));
		expect(jars).toEqual([before[0]!.replace('0.18.0', '0.18.1')]);
		expect(await text('start.sh')).toContain(`-jar ${jars[0]} nogui`);
		expect(await text('start.sh')).toContain('-Xmx512M');
		expect((await app.status.get()).state).toBe('running');

		const script = await text('start.sh');
		const java = path.join(root, 'jdk/bin/java');
		const good = await readFile(java, 'utf8');
		await writeFile(java, good.replace('exec', 'ls *0.17.3* >/dev/null 2>&1 && exit 1\nexec'));
		const failed = await apply(change('0.17.3'));
		expect(failed.state).toBe('rolled-back');
		expect((await names()).filter((name) => name.endsWith('.jar'))).toEqual(jars);
		expect(await text('start.sh')).toBe(script);
		expect((await app.status.get()).state).toBe('running');
		expect((await names()).filter((name) => name.startsWith('.'))).toEqual([]);

		await expect(
			app.software.plan({ do: 'change', loader: 'forge', build: '47.2.0' })
		).rejects.toMatchObject({ kind: 'conflict' });
		await expect(app.software.plan(change('0.18.1'))).rejects.toMatchObject({
			code: 'nothing-to-do'
		});
	}
);

test.concurrent(
	'a plan is carried out once, and nothing unknown can be planned',
	async ({ onTestFinished }) => {
		const { app, wish, over } = await setup({}, onTestFinished);
		const { id } = await app.software.plan(wish('vanilla'));
		await over((await app.software.apply({ planId: id }, ADA)).id);
		await expect(app.software.apply({ planId: id }, ADA)).rejects.toMatchObject({
			kind: 'not-found'
		});
		const { games, builds } = await app.software.versions('paper');
		expect(games.map((one) => one.id)).toEqual(['26.2', '26.1.2', '1.21.11', '1.21.1', '1.20.6']);
		expect(builds['1.21.11']).toEqual([
			{ id: '92', stable: false },
			{ id: '91', stable: true }
		]);
	}
);

test.each([
	['nothing', /validate certificates/],
	['half', /installed successfully/],
	['fails', /error during installation/],
	['window', /DISPLAY/]
] as const)(
	'an installer that does %s leaves the folder empty, and its output is shown',
	async (fault, words) => {
		const { fake, apply, wish, names } = await setup();
		fake.installersAre(fault);
		const operation = await apply(wish('neoforge'));
		expect(operation.state).toBe('failed');
		expect(operation.cause?.message).toMatch(/installer did not create a server.*output: \S/);
		expect(operation.cause?.message).toMatch(words);
		expect(await names()).toEqual(EMPTY);
	}
);

test('an installer that hangs can be cancelled', async () => {
	const { fake, wish, names, app, over } = await setup();
	fake.installersAre('hangs');
	const { id: plan } = await app.software.plan(wish('neoforge'));
	const { id } = await app.software.apply({ planId: plan }, ADA);
	const running = async () =>
		(await app.operations.get(id)).steps.find(({ status }) => status === 'running')?.id;
	await expect.poll(running, { timeout: 20_000 }).toBe('install');
	await app.operations.cancel(id, ADA);
	expect((await over(id)).state).toBe('cancelled');
	expect(await names()).toEqual(EMPTY);
});

test('a server that does not come up is removed again', async () => {
	const { apply, wish, names, serverDir, root } = await setup();
	const java = path.join(root, 'jdk/bin/java');
	await writeFile(java, '#!/bin/sh\nmkdir -p world libraries\necho broken >&2\nexit 1\n');
	const operation = await apply(wish('fabric'));
	expect(operation.state).toBe('rolled-back');
	expect((await names()).filter((name) => name !== 'logs')).toEqual(EMPTY);
	expect(await processesIn(serverDir)).toEqual([]);
});

test('where something else decides how the server is started, nothing is planned', async () => {
	const { app, wish } = await setup({ SERVER_COMMAND: '["java","-jar","x.jar"]' });
	expect(app.software.refusal).toMatch(/^SERVER_COMMAND in \.env/);
	await expect(app.software.plan(wish('vanilla'))).rejects.toMatchObject({ kind: 'conflict' });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	chmod,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rm,
	stat,
	symlink,
	writeFile
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { soon } from '../../../../../tests/soon.ts';
import { systemClock } from '#core/clock';
import { createProcessControl } from './process.ts';

/** A start script that reads its console and ends with it, as some native servers do. */
const READER = `#!/bin/sh
echo ready >> said
while read -r line; do echo "$line" >> said; done
echo over >> said
`;

async function setup() {
	const home = await mkdtemp(path.join(tmpdir(), 'craftwarden-input-'));
	onTestFinished(() => rm(home, { recursive: true, force: true }));
	const script = path.join(home, 'start.sh');
	await writeFile(script, READER);
	await chmod(script, 0o755);
	const dataDir = path.join(home, 'data');
	const warned: string[] = [];
	const control = createProcessControl({
		...{ serverDir: home, dataDir, clock: systemClock, environment: process.env },
		command: async () => ['./start.sh'],
		log: { warn: (message) => void warned.push(message) }
	});
	onTestFinished(async () => {
		const left = await control.find();
		if (left) control.signal(left, 'SIGKILL');
		control.close();
	});
	const said = () => readFile(path.join(home, 'said'), 'utf8').catch(() => '');
	return { home, dataDir, control, warned, said };
}

test('a game that reads its console keeps waiting, and a line that we write reaches it', async () => {
	const { control, dataDir, warned, said } = await setup();
	const game = await control.launch({ argv: ['./start.sh'], mark: 'm' });
	await soon(async () => expect(await said()).toBe('ready\n'));
	await writeFile(`/proc/${game.pid}/fd/0`, 'hello\n');
	await soon(async () => expect(await said()).toBe('ready\nhello\n'));
	expect(control.alive(game)).toBe(true);
	expect((await stat(`/proc/${game.pid}/fd/0`)).mode & 0o777).toBe(0o600);
	expect(await readdir(path.join(dataDir, 'console'))).toEqual(['server.log']);
	expect(warned).toEqual([]);
});

test('it sees no end of input when the dashboard is killed, and is found again', async () => {
	const { home, dataDir, control, said } = await setup();
	const file = (name: string) => JSON.stringify(path.resolve('src/lib/server', name));
	const dashboard = `
		const { createProcessControl } = await import(${file('runtime/process/process.ts')});
		const { systemClock } = await import(${file('core/clock.ts')});
		const [serverDir, dataDir] = process.argv.slice(1);
		const control = createProcessControl({
			serverDir, dataDir, clock: systemClock, environment: process.env, log: console,
			command: async () => ['./start.sh']
		});
		const game = await control.launch({ argv: ['./start.sh'], mark: 'm' });
		process.stdout.write(String(game.pid));
		setInterval(() => {}, 1000);
	`;
	const child = spawn(process.execPath, ['--input-type=module', '-e', dashboard, home, dataDir], {
		stdio: ['ignore', 'pipe', 'inherit']
	});
	const [pid] = await once(child.stdout, 'data');
	const killed = once(child, 'exit');
	child.kill('SIGKILL');
	expect(await killed).toEqual([null, 'SIGKILL']);

	await soon(async () => expect(await said()).toBe('ready\n'));
	const game = await control.find();
	expect(game).toMatchObject({ pid: Number(String(pid)), ours: true });
	await writeFile(`/proc/${game!.pid}/fd/0`, 'still there\n');
	await soon(async () => expect(await said()).toBe('ready\nstill there\n'));
});

test('where no FIFO can be created the game starts without an input, and the log says so', async () => {
	vi.stubEnv('PATH', '/nowhere');
	onTestFinished(() => void vi.unstubAllEnvs());
	const { control, warned } = await setup();
	const game = await control.launch({ argv: ['./start.sh'], mark: 'm' });
	expect(await control.ended(game)).toEqual({ code: 0, signal: null });
	expect(warned).toEqual([expect.stringContaining('without an input')]);
});

test('leftovers in its place, as after a crash in between, do not get in the way', async () => {
	const { home, control, dataDir, warned } = await setup();
	await mkdir(path.join(dataDir, 'console'), { recursive: true });
	await writeFile(path.join(home, 'precious'), 'untouched');
	await symlink(path.join(home, 'precious'), path.join(dataDir, 'console/input'));
	const game = await control.launch({ argv: ['./start.sh'], mark: 'm' });
	expect((await stat(`/proc/${game.pid}/fd/0`)).isFIFO()).toBe(true);
	expect(await readFile(path.join(home, 'precious'), 'utf8')).toBe('untouched');
	expect(warned).toEqual([]);
});

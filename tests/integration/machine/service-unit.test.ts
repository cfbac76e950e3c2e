import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../../scripts/demo-server/seed/seed.ts';
import { eventually, processesIn, seedDemo, signedIn } from '../../harness.ts';
import { begin, reaches, status } from '../kit/actions.ts';
import { home } from '../kit/opened.ts';
import { soundEnv } from '../kit/program.ts';
import { userManager } from '../kit/user-manager.ts';

const ROOT = path.resolve('.');
/** More often than systemd's own limit allows: five starts within ten seconds. */
const KILLS = 7;

/** The unit of the README as a user's own manager can run it: that one always runs as its user. */
async function unitOfReadme() {
	const readme = await readFile(path.join(ROOT, 'README.md'), 'utf8');
	const unit = /```ini\n(# \/etc\/systemd\/system\/craftwarden\.service\n[^`]+)```/.exec(
		readme
	)?.[1];
	return unit!.replace(/^User=.*$/m, '');
}

/** What differs here: folders, port, and no delay between two starts. */
const settings = (env: Record<string, string>) =>
	`[Service]\nRestartSec=100ms\n${Object.entries(env)
		.map(([name, value]) => `Environment="${name}=${value}"\n`)
		.join('')}`;

test('under the unit of the README it comes back however often it is killed, and the game keeps running', async ({
	skip
}) => {
	const dir = await home();
	const port = await freePort(null);
	const dataDir = path.join(dir, 'data');
	await seedDemo(dataDir);
	const env = {
		...soundEnv(dir),
		DATA_DIR: dataDir,
		PORT: String(port),
		PATH: process.env['PATH']!
	};
	const unit = 'craftwarden.service';
	const manager = await userManager(dir, {
		units: { [unit]: await unitOfReadme(), [`${unit}.d/here.conf`]: settings(env) },
		project: ROOT
	});
	if (!manager) return skip('systemd --user does not come up here (systemd missing, or not root)');
	const url = `http://127.0.0.1:${port}`;
	const answers = () =>
		eventually(
			() =>
				fetch(`${url}/healthz`).then(
					({ status }) => status,
					() => 0
				),
			(code) => code === 200,
			30_000
		);
	const mainPid = () => manager.show(unit, 'MainPID');

	await manager.systemctl('start', unit);
	await answers();
	const ada = await signedIn({ url });
	await begin(ada, 'start');
	await reaches(ada, 'running', 30_000);
	const { startedAt } = await status(ada);
	const game = await processesIn(path.join(dataDir, 'demo'));
	expect(game).toHaveLength(1);
	const stillPlays = async () => {
		await answers();
		await reaches(ada, 'running', 30_000);
		expect((await status(ada)).startedAt).toBe(startedAt);
		expect(await processesIn(path.join(dataDir, 'demo'))).toEqual(game);
	};

	for (let killed = 0; killed < KILLS; killed++) {
		const before = await eventually(mainPid, (pid) => pid !== '0');
		await manager.systemctl('kill', '--kill-who=main', '-s', 'SIGKILL', unit);
		await eventually(mainPid, (pid) => pid !== '0' && pid !== before);
	}
	expect(Number(await manager.show(unit, 'NRestarts'))).toBe(KILLS);
	await stillPlays();

	await manager.systemctl('restart', unit);
	await stillPlays();
	await manager.systemctl('stop', unit);
	expect(await manager.show(unit, 'Result')).toBe('success');
	expect(await processesIn(path.join(dataDir, 'demo'))).toEqual(game);
	await manager.systemctl('start', unit);
	await stillPlays();
}, 120_000);

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../scripts/demo-server/seed/seed.ts';
import { eventually, processesIn, seedDemo, signedIn } from '../../harness.ts';
import { begin, reaches, status } from '../kit/actions.ts';
import { home } from '../kit/opened.ts';
import { soundEnv } from '../kit/program.ts';
import { startUserSystemd, systemdMissing } from '../kit/user-systemd.ts';

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

/** What differs here: folders, port, and no waiting between two starts. */
const settings = (env: Record<string, string>) =>
	`[Service]\nRestartSec=100ms\n${Object.entries(env)
		.map(([name, value]) => `Environment="${name}=${value}"\n`)
		.join('')}`;

const missing = systemdMissing();
const name =
	'under the unit of the README it comes back however often it is killed, and the game plays on';
test.skipIf(missing)(
	missing ? `${name} (${missing})` : name,
	async () => {
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
		const systemd = await startUserSystemd({ project: ROOT });
		onTestFinished(systemd.close);
		await systemd.write(unit, await unitOfReadme());
		await systemd.write(`${unit}.d/here.conf`, settings(env));
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
		const mainPid = async () => systemd.show(unit, 'MainPID');
		const systemctl = (...args: string[]) => expect(systemd.systemctl(...args).stderr).toBe('');

		systemctl('start', unit);
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
			systemctl('kill', '--kill-who=main', '-s', 'SIGKILL', unit);
			await eventually(mainPid, (pid) => pid !== '0' && pid !== before);
		}
		expect(Number(systemd.show(unit, 'NRestarts'))).toBe(KILLS);
		await stillPlays();

		systemctl('restart', unit);
		await stillPlays();
		systemctl('stop', unit);
		expect(systemd.show(unit, 'Result')).toBe('success');
		expect(await processesIn(path.join(dataDir, 'demo'))).toEqual(game);
		systemctl('start', unit);
		await stillPlays();
	},
	120_000
);

import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownPort } from '../../../scripts/demo-server/testing/own-port.ts';
import { eventually, processesIn, seedDemo, signedIn } from '../../harness.ts';
import { begin, power, reaches, status } from '../kit/actions.ts';
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

/** What differs here: folders, port, and no delay between two starts. */
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
		const port = await ownPort();
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

/** The `.env` that docs/deploy.md has people write for units of their own, in this home. */
async function envOfDocs(home: string) {
	const text = await readFile(path.join(ROOT, 'docs/deploy.md'), 'utf8');
	const env = /\ncat >~\/craftwarden\/\.env <<'END'\n([^]*?)\nEND\n/.exec(text)![1]!;
	expect(env).toContain('/home/ada/');
	return env.replaceAll('/home/ada', home);
}

const guide = 'the units of deploy/systemd/user do as docs/deploy.md says, each without the other';
test.skipIf(missing)(
	missing ? `${guide} (${missing})` : guide,
	async () => {
		const systemd = await startUserSystemd({ project: ROOT });
		onTestFinished(systemd.close);
		const { HOME: dir, PATH } = systemd.environment;
		const port = await ownPort();
		await seedDemo(dir);
		await symlink(path.join(dir, 'demo'), path.join(dir, 'minecraft'));
		await symlink('/opt/craftwarden', path.join(dir, 'craftwarden'));
		await writeFile(path.join(dir, 'env'), await envOfDocs(dir), { mode: 0o600 });
		const here: Record<string, string> = {
			craftwarden: settings({
				...{ PATH: PATH!, PORT: String(port), HOST: '127.0.0.1', ENV_FILE: path.join(dir, 'env') },
				...{ DATA_DIR: path.join(dir, 'data'), LOG_DIR: path.join(dir, 'logs') }
			}),
			minecraft: `${settings({ DEMO_SPEED: '10' })}ExecStart=\nExecStart=${process.execPath} ${ROOT}/scripts/demo-server/main.ts\n`
		};
		for (const name of ['craftwarden', 'minecraft']) {
			const text = await readFile(
				path.join(ROOT, 'deploy/systemd/user', `${name}.service`),
				'utf8'
			);
			await systemd.write(`${name}.service`, text);
			await systemd.write(`${name}.service.d/here.conf`, here[name]!);
		}
		expect(systemd.systemctl('start', 'minecraft', 'craftwarden').stderr).toBe('');
		const url = `http://127.0.0.1:${port}`;
		const account = { username: 'ada', password: 'a long sentence that only you know' };
		const visit = () =>
			eventually(
				() => signedIn({ url }, account).catch(() => null),
				(visitor) => visitor !== null,
				30_000
			);
		const ada = (await visit())!;
		await reaches(ada, 'running', 30_000);
		const game = systemd.show('minecraft.service', 'MainPID');
		expect(systemd.systemctl('restart', 'craftwarden').stderr).toBe('');
		const again = (await visit())!;
		await reaches(again, 'running');
		expect(systemd.show('minecraft.service', 'MainPID')).toBe(game);
		expect(await power(again, 'stop')).toMatchObject({ state: 'succeeded', cause: null });
		expect(systemd.show('minecraft.service', 'ActiveState')).toBe('inactive');
		expect(await power(again, 'start')).toMatchObject({ state: 'succeeded', cause: null });
		expect(systemd.show('minecraft.service', 'ActiveState')).toBe('active');
	},
	120_000
);

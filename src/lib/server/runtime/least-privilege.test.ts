import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#core/clock';
import { asSomebody, nobodyElse } from '../../../../tests/fakes/somebody.ts';
import { printed, RECORDED } from '../../../../tests/fakes/systemd-recorded.ts';
import { createRuntime } from './create.ts';

type Choice = Parameters<typeof createRuntime>[0];

async function folder() {
	const dir = await mkdtemp(path.join(tmpdir(), 'craftwarden-rights-'));
	onTestFinished(() => rm(dir, { recursive: true, force: true }));
	await chmod(dir, 0o755);
	return dir;
}

/** What it says and does for somebody without rights: its state, and how each verb was refused. */
const asked = (choice: Choice, run: object, environment: Record<string, string> = {}) =>
	asSomebody(`
		const { createRuntime } = await import(${JSON.stringify(import.meta.resolve('./create.ts'))});
		const { systemClock: clock } = await import(${JSON.stringify(import.meta.resolve('../core/clock.ts'))});
		const runtime = createRuntime(${JSON.stringify(choice)}, { clock, environment: ${JSON.stringify(environment)} });
		const run = ${JSON.stringify(run)};
		const { phase, detail } = await runtime.state();
		const refused = {};
		for (const verb of ['start', 'stop', 'terminate', 'kill'])
			await runtime[verb](run).then(() => {}, ({ kind, message }) => (refused[verb] = [kind, message]));
		console.log(JSON.stringify({ phase, detail, refused }));
	`) as { phase: string; detail?: string; refused: Record<string, [string, string]> };

const missing = nobodyElse();
describe.skipIf(missing)(`for another user${missing ? ` (${missing})` : ''}`, () => {
	const now = Math.floor(Date.now() / 1000);
	const said = (phase: string) =>
		JSON.stringify({
			...{ phase, pid: 7, run: 3, startedAt: now - 60, at: now + 5, code: null },
			...{ rssBytes: null, cpuTicks: null, warnings: [] }
		});
	const run = { id: `keeper 3 ${now - 60}`, startedAt: '', pid: null, ours: true };

	test('a read-only keeper folder: its state, and a sentence for every request', async () => {
		const dir = await folder();
		await writeFile(path.join(dir, 'state.json'), said('running'));
		const { phase, refused } = asked({ kind: 'keeper', dir }, run);
		expect(phase).toBe('running');
		const sentence = `The keeper could not be told (EACCES): ${dir} cannot be written to.`;
		for (const verb of ['stop', 'terminate', 'kill'])
			expect(refused[verb]).toEqual(['upstream', sentence]);
		await writeFile(path.join(dir, 'state.json'), said('exited'));
		expect(asked({ kind: 'keeper', dir }, run).refused['start']).toEqual(['upstream', sentence]);
		expect(await readdir(dir)).toEqual(['state.json']);
	});

	test.each([
		['a folder', 0o700, 0o644],
		['a state', 0o755, 0o600]
	])(
		'%s of the keeper’s that is not readable is unknown with the reason',
		async (_, forFolder, forFile) => {
			const dir = await folder();
			await writeFile(path.join(dir, 'state.json'), said('exited'), { mode: forFile });
			await chmod(dir, forFolder);
			const { phase, detail, refused } = asked({ kind: 'keeper', dir }, run);
			expect([phase, detail]).toEqual([
				'unknown',
				`What the keeper says cannot be read (EACCES): ${dir}/state.json.`
			]);
			expect(Object.values(refused)).toEqual(Array(4).fill(['conflict', detail]));
			expect(await readdir(dir)).toEqual(['state.json']);
		}
	);

	test('another user’s systemd is unknown with the reason, and is sent nothing', async () => {
		const dir = await folder();
		await mkdir(path.join(dir, 'systemd'));
		await chmod(dir, 0o700);
		const unit = { kind: 'systemd', unit: 'mc.service', scope: 'user' } as const;
		const environment = { PATH: process.env['PATH']!, XDG_RUNTIME_DIR: dir };
		const { phase, detail, refused } = asked(unit, { ...run, id: 'systemd a' }, environment);
		expect(phase).toBe('unknown');
		expect(detail).toMatch(/^systemd cannot be asked: .+\.$/);
		// It is not known to run, so there is nothing to end.
		expect(refused).toEqual({ start: ['conflict', detail] });
	});
});

/** A `systemctl` that shows a unit, writes down how it was called, and does what the script says. */
async function systemd(unit: Record<string, string>, script: string) {
	const dir = await folder();
	await writeFile(path.join(dir, 'show'), printed(unit));
	const program = `#!/bin/sh
		echo "$*" >>'${dir}/calls'
		case " $* " in *" show "*) exec cat '${dir}/show' ;; esac
		${script}`;
	await writeFile(path.join(dir, 'systemctl'), program, { mode: 0o755 });
	const runtime = createRuntime(
		{ kind: 'systemd', unit: 'mc.service', scope: 'system' },
		{
			...{ clock: systemClock, serverDir: dir, dataDir: dir, log: { warn: () => {} } },
			...{ command: async () => null, startable: async () => ({ why: 'not asked' }) },
			environment: { PATH: `${dir}:/usr/bin:/bin` }
		}
	);
	return {
		runtime,
		calls: async () => (await readFile(path.join(dir, 'calls'), 'utf8')).trim().split('\n')
	};
}

test.each([
	'Failed to start mc.service: Access denied',
	'Failed to start mc.service: Interactive authentication required.'
])('without the polkit rule (%s) every request is refused with what to do', async (words) => {
	const { runtime } = await systemd(RECORDED.running, `echo '${words}' >&2; exit 1`);
	const { run } = await runtime.state();
	const refusal = {
		kind: 'conflict',
		message:
			'systemd does not let this user manage mc.service. Install the polkit rule of deploy/systemd, or use a user unit.'
	};
	for (const wish of [runtime.stop, runtime.terminate, runtime.kill])
		await expect(wish(run!)).rejects.toMatchObject(refusal);
	const stopped = await systemd(RECORDED.stopped, `echo '${words}' >&2; exit 1`);
	await expect(stopped.runtime.start('mark')).rejects.toMatchObject(refusal);
});

test('every call names the configured unit and no other, and no command', async () => {
	const { runtime, calls } = await systemd(RECORDED.running, '');
	const { run } = await runtime.state();
	await runtime.kill(run!);
	await runtime.terminate(run!);
	for (const call of await calls())
		expect(call).toMatch(
			/^--system (show mc\.service .*|--no-ask-password (stop --no-block|kill -s SIGKILL) mc\.service)$/
		);
});

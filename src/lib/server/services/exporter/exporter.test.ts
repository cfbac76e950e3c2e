import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { OperationSummary } from '#schemas/operation';
import type { Status } from '#schemas/status';
import { createBus } from '#core/bus';
import type { AppEvent, Findings } from '#events';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { createExporter } from './index.ts';
import { toText } from './text.ts';

const TOKEN = 'a-token-of-thirty-two-characters';
const NOW = '2026-01-02T03:04:05.000Z';
const status = (over: Partial<Status> = {}): Status => ({
	...{ name: 'x', state: 'running', online: true, address: 'mc.example.org:25570' },
	...{ version: '1.21.1', software: null, motd: null, tps: 20, latencyMs: 12, via: 'ping' },
	players: { online: 3, max: 20, names: null },
	...{ startedAt: NOW, checkedAt: NOW, reason: null },
	...over
});
const sample = (over = {}) => ({
	...{ t: Date.parse(NOW), ramBytes: 2 ** 31, cpuSeconds: 12.5 },
	...{ players: 3, tps: 19.5, mspt: 51.2 },
	...over
});
const findings: Findings = {
	disks: [{ dir: '/srv/mine "craft"\\\n', freeBytes: 5e9, totalBytes: 1e10 }],
	backups: { newest: { id: 'x', at: '2026-01-02T00:00:00.000Z', bytes: 1234 } },
	operators: null,
	mods: { enabled: 31, disabled: 2 },
	updates: [{ title: 'Lithium', version: '2' }]
};
const ended = (id: string, state: OperationSummary['state']): AppEvent => ({
	type: 'operation',
	summary: { id, kind: 'backup', state } as OperationSummary
});

function setup({ token = TOKEN as string | null, measured = null as unknown } = {}) {
	const bus = createBus<AppEvent>();
	const clock = createManualClock(NOW);
	const exporter = createExporter({
		...{ token, version: '9.9.9', clock, subscribe: bus.subscribe },
		measured: () => measured as ReturnType<Parameters<typeof createExporter>[0]['measured']>
	});
	return { exporter, clock, publish: bus.publish, read: () => exporter.read(`Bearer ${TOKEN}`) };
}

describe('who may read', () => {
	test('without a token there is nothing, whatever is sent', () => {
		const { exporter } = setup({ token: null });
		for (const sent of [null, 'Bearer ', 'Bearer null', `Bearer ${TOKEN}`])
			expect(() => exporter.read(sent)).toThrow(expect.objectContaining({ kind: 'not-found' }));
	});
	test('missing and wrong ones are refused', () => {
		const { exporter } = setup();
		const wrong = [null, '', TOKEN, 'Bearer', 'Bearer x', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`];
		for (const sent of wrong)
			expect(() => exporter.read(sent)).toThrow(expect.objectContaining({ kind: 'unauthorized' }));
		expect(exporter.read(`bearer ${TOKEN}`)).toContain('craftwarden_info{version="9.9.9"} 1\n');
	});
});

describe('what is exported', () => {
	test('an unknown value is no sample, never zero', () => {
		expect(
			setup()
				.read()
				.match(/^\w+(?=[ {])/gm)
		).toEqual(['craftwarden_info']);
	});

	test('everything that is known', () => {
		const { publish, read } = setup({ measured: { state: 'running', sample: sample() } });
		publish({ type: 'status', status: status() });
		publish({ type: 'findings', findings });
		for (const event of [ended('a', 'running'), ended('a', 'succeeded'), ended('a', 'succeeded')])
			publish(event);
		publish(ended('b', 'failed'));
		const text = read();
		const mc =
			'{server_host="mc.example.org",server_port="25570",server_edition="java",server_version="1.21.1"}';
		for (const line of [
			`minecraft_status_healthy${mc} 1`,
			`minecraft_status_response_time_seconds${mc} 0.012`,
			`minecraft_status_players_online_count${mc} 3`,
			`minecraft_status_players_max_count${mc} 20`,
			'minecraft_players_online 3',
			'minecraft_tps 19.5',
			'minecraft_mspt{type="mean"} 51.2',
			'craftwarden_server_state{state="running"} 1',
			'craftwarden_server_state{state="crashed"} 0',
			'craftwarden_server_memory_bytes 2147483648',
			'craftwarden_server_cpu_seconds_total 12.5',
			'craftwarden_backup_last_success_timestamp_seconds 1767312000',
			'craftwarden_backup_last_success_bytes 1234',
			'craftwarden_operations_total{type="backup",result="succeeded"} 1',
			'craftwarden_operations_total{type="backup",result="failed"} 1',
			'craftwarden_mods{state="enabled"} 31',
			'craftwarden_mod_updates_available 1',
			'craftwarden_disk_free_bytes{dir="/srv/mine \\"craft\\"\\\\\\n"} 5000000000'
		])
			expect(text.split('\n')).toContain(line);
	});

	test('old values are left out, and a stopped server is not healthy', async () => {
		const old = setup({ measured: { state: 'running', sample: sample() } });
		old.publish({ type: 'status', status: status() });
		await old.clock.advance(61_000);
		expect(old.read()).not.toMatch(/minecraft_tps|healthy|memory|players/);
		const stopped = setup({ measured: { state: 'stopped', sample: null } });
		stopped.publish({ type: 'status', status: status() });
		expect(stopped.read()).toMatch(/minecraft_status_healthy\{.*\} 0\n/);
		expect(stopped.read()).not.toContain('players');
	});

	test('a scrape reads the last measurement once, waits for nothing and publishes nothing', () => {
		const bus = createBus<AppEvent>();
		const heard: AppEvent[] = [];
		let looks = 0;
		const exporter = createExporter({
			...{
				token: TOKEN,
				version: '9.9.9',
				clock: createManualClock(NOW),
				subscribe: bus.subscribe
			},
			measured: () => (looks++, { state: 'running', sample: sample() })
		});
		bus.subscribe((fact) => void heard.push(fact));
		for (let i = 0; i < 10; i++) expect(typeof exporter.read(`Bearer ${TOKEN}`)).toBe('string');
		expect([looks, heard]).toEqual([10, []]);
	});

	test('a value can break out of neither its line nor its quotes', () => {
		const labels = { a: 'x"} 1\nevil 2\\' };
		const text = toText([{ name: 'n', type: 'gauge', help: 'h', points: [{ labels, value: 1 }] }]);
		expect(text).toBe('# HELP n h\n# TYPE n gauge\nn{a="x\\"} 1\\nevil 2\\\\"} 1\n');
	});

	const promtool = spawnSync('promtool', ['--version']).error === undefined;
	test.skipIf(!promtool)(`promtool (Debian's package prometheus) finds no fault`, () => {
		const { publish, read } = setup({ measured: { state: 'running', sample: sample() } });
		publish({ type: 'status', status: status() });
		publish({ type: 'findings', findings });
		publish(ended('a', 'succeeded'));
		const {
			status: code,
			stderr,
			stdout
		} = spawnSync('promtool', ['check', 'metrics'], {
			input: read(),
			encoding: 'utf8'
		});
		// The names are mc-monitor's, so that its dashboards work; the rule they break is newer.
		const theirs = /^minecraft_status_players_(?:online|max)_count .* "_count" suffix\n/gm;
		expect(`${stdout}${stderr}`.replace(theirs, '')).toBe('');
		expect([0, 3]).toContain(code); // 3: remarks, no errors
	});
});

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { systemClock } from '#core/clock';
import { readStat } from '#core/process';
import { createUsage, type Usage } from './usage.ts';

const GB = 2 ** 20;
let proc: string;
let clock: ManualClock;
let usage: Usage;

beforeEach(() => {
	proc = mkdtempSync(path.join(tmpdir(), 'proc-'));
	onTestFinished(() => rmSync(proc, { recursive: true }));
	clock = createManualClock();
	usage = createUsage({ clock, proc });
});

type Told = {
	parent?: number;
	cpu?: number;
	ram?: number;
	start?: number;
	name?: string;
	state?: string;
};
function tell(
	pid: number,
	{ parent = 1, cpu = 0, ram = 0, start = 100 + pid, name = 'java', state = 'S' }: Told
) {
	const dir = path.join(proc, String(pid));
	mkdirSync(dir, { recursive: true });
	const half = Math.floor(cpu / 2);
	const fields = [
		state,
		parent,
		1,
		1,
		0,
		-1,
		0,
		0,
		0,
		0,
		0,
		half,
		cpu - half,
		0,
		0,
		20,
		0,
		1,
		0,
		start,
		0,
		0
	];
	writeFileSync(path.join(dir, 'stat'), `${pid} (${name}) ${fields.join(' ')}\n`);
	writeFileSync(path.join(dir, 'status'), `Name:\t${name}\nVmRSS:\t  ${ram} kB\n`);
}
const GAME = { pid: 50, startTicks: 150 };

test('a start script and the Java below it count as one, unrelated processes do not', () => {
	tell(50, { ram: 1_000, name: 'run.sh' });
	tell(51, { parent: 50, ram: 2 * GB });
	tell(52, { parent: 51, ram: 1_000, name: 'a ) R 1 (' });
	tell(60, { ram: 5 * GB });
	expect(usage.read(GAME)).toMatchObject({
		ramBytes: (2 * GB + 2_000) * 1024,
		cpuPercent: null
	});
});

test('one core that is busy all the time is 100, two are 200', async () => {
	tell(50, { cpu: 1_000 });
	tell(51, { parent: 50, cpu: 500 });
	usage.read(GAME);
	await clock.advance(15_000);
	tell(50, { cpu: 2_500 });
	tell(51, { parent: 50, cpu: 2_000 });
	expect(usage.read(GAME).cpuPercent).toBe(200);
	await clock.advance(60_000);
	tell(50, { cpu: 2_500 + 3_000 });
	expect(usage.read(GAME).cpuPercent).toBe(50);
});

test('a child that exits subtracts nothing, a new one counts from its start', async () => {
	tell(50, { cpu: 100 });
	tell(51, { parent: 50, cpu: 9_000 });
	usage.read(GAME);
	await clock.advance(10_000);
	rmSync(path.join(proc, '51'), { recursive: true });
	tell(50, { cpu: 200 });
	tell(53, { parent: 50, cpu: 400 });
	expect(usage.read(GAME).cpuPercent).toBe(50);
});

test('a process that is gone, a zombie, or another with the same pid is unknown', () => {
	const none = { ramBytes: null, cpuPercent: null, cpuSeconds: null };
	expect(usage.read(GAME)).toEqual(none);
	tell(50, { ram: GB, state: 'Z' });
	expect(usage.read(GAME)).toEqual(none);
	tell(50, { ram: GB, start: 999 });
	expect(usage.read(GAME)).toEqual(none);
});

test('a restart begins at zero', async () => {
	tell(50, { cpu: 100_000 });
	usage.read(GAME);
	await clock.advance(15_000);
	tell(70, { cpu: 20 });
	expect(usage.read({ pid: 70, startTicks: 170 }).cpuPercent).toBe(null);
});

test('a real process that works uses memory and about one core', async () => {
	const child = spawn(process.execPath, ['-e', 'console.log("on"); for (;;);'], {
		stdio: ['ignore', 'pipe', 'ignore']
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	await new Promise((ready) => child.stdout.once('data', ready));
	const real = createUsage({ clock: systemClock });
	const game = { pid: child.pid!, startTicks: readStat(child.pid!)!.startTicks };
	expect(real.read(game).ramBytes).toBeGreaterThan(10e6);
	await expect
		.poll(() => real.read(game).cpuPercent, { timeout: 15_000, interval: 600 })
		.toBeGreaterThan(0);
	expect(real.read(game).cpuPercent).toBeLessThan(250);
});

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Backup } from '#schemas/backup';
import type { LogFile, LogHit } from '#schemas/log';
import type { Mod } from '#schemas/mod';
import type { Role } from '#schemas/common';
import type { Operation, OperationKind, Step } from '#schemas/operation';
import { systemClock } from '#core/clock';
import type { Known } from '#core/ttl-cache';
import type { Diagnosis } from '#minecraft/diagnosis';
import type { Installation } from '#minecraft/folder';
import type { Observation } from '#operations';
import { ADA } from '../../../../../tests/fakes/power-setup.ts';
import { createStateFile } from '../../storage/state-file/index.ts';
import {
	ATTENTION_DEFAULTS,
	ATTENTION_VERSION,
	AttentionState,
	createAttention,
	createCrashRecord,
	type Machine
} from './index.ts';
import { namedIn } from './crash.ts';

let dir: string;
beforeEach(async () => {
	dir = await mkdtemp(path.join(tmpdir(), 'attention-'));
});
const states: { update(change: (old: AttentionState) => AttentionState): Promise<unknown> }[] = [];
afterEach(async () => {
	// What is being written is done by then.
	for (const state of states.splice(0)) await state.update((old) => old);
	await rm(dir, { recursive: true });
});

const GIB = 1024 ** 3;
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const known = <T>(value: T): Known<T> => ({ value, problem: null });
const FINE: Machine = {
	disks: [{ what: 'the server', freeBytes: 100 * GIB, totalBytes: 200 * GIB }],
	memory: { freeBytes: GIB, totalBytes: GIB },
	...{ javaMissing: null, worldSince: ago(0.1) }
};
const world = () => ({
	found: {} as Partial<Installation>,
	seen: { state: 'stopped' } as Partial<Observation>,
	engine: {} as { graceMs?: number; undoneBy?: string[] },
	missing: [] as string[],
	worldRefusal: null as string | null,
	asRoot: false,
	damaged: false,
	unwritten: [] as { what: string; lost: number; why: string }[],
	unseen: false,
	refused: null as { at: string; message: string } | null,
	slow: null as { since: string; tps: number; mspt: number | null } | null,
	broken: [] as { name: string; problem: string; since: string | null }[],
	mods: known([] as Mod[]),
	/** The folder as it is, where that is not what was kept of it. */
	here: undefined as Mod[] | null | undefined,
	updates: known({ checkedAt: null, mods: [] }) as Known<never>,
	backups: known([] as Backup[]),
	operations: known([] as Operation[]),
	machine: known(FINE),
	lastChange: known('none') as Known<never>,
	files: [] as LogFile[],
	lines: [] as LogHit[],
	running: null as { id?: string; kind: OperationKind } | null,
	/** By the operation's id. */
	asked: {} as Record<string, unknown>
});

function open(facts: Partial<ReturnType<typeof world>> = {}) {
	const now = { ...world(), ...facts };
	const told: string[] = [];
	const state = createStateFile({
		...{ file: path.join(dir, 'attention.json'), schema: AttentionState, warn: () => {} },
		...{ version: ATTENTION_VERSION, defaults: ATTENTION_DEFAULTS }
	});
	states.push(state);
	const observe = async (): Promise<Observation> => ({
		...{ state: 'stopped', reason: 'Because.', diagnosis: null, run: null },
		...{ readyAt: null, endedAt: null },
		...now.seen
	});
	const attention = createAttention({
		...{ state, observe, clock: systemClock, demo: false, asRoot: now.asRoot },
		installation: async () =>
			({ problem: null, command: { argv: ['java'], how: '' }, ...now.found }) as Installation,
		changing: () => (now.running ? [{ id: 'running', ...now.running }] : []),
		atOnce: {
			mods: async () => (now.here === undefined ? now.mods.value : now.here),
			updates: async () => now.updates.value
		},
		asked: async (id) => now.asked[id] ?? null,
		unseen: async () => now.unseen,
		engine: async () => now.engine,
		missing: async () => now.missing,
		worldRefusal: async () => now.worldRefusal,
		unwritten: () => now.unwritten,
		concerns: async () =>
			now.damaged
				? [{ code: 'backup-damaged', title: 'x', detail: 'x', advice: null, since: null }]
				: [],
		rconRefused: () => now.refused,
		slow: () => now.slow,
		brokenChannels: async () => now.broken,
		mods: async () => now.mods,
		updates: async () => now.updates,
		backups: async () => now.backups,
		operations: async () => now.operations,
		machine: async () => now.machine,
		logFiles: async () => known(now.files),
		lastChange: async () => now.lastChange,
		audit: async (by, action, { subject } = {}) =>
			void told.push(`${by.name} ${action} ${subject}`),
		log: { error: (...words) => expect(words).toEqual([]) }
	});
	const crashes = createCrashRecord({
		...{ state, observe, running: () => now.running, files: async () => now.files },
		lastLines: async () => now.lines,
		mods: async () => now.mods,
		operations: async () => now.operations.value ?? [],
		note: {
			crashed: async ({ run, at, report }) => void told.push(`${run} crashed at ${at}: ${report}`),
			hung: async ({ run, at }) => void told.push(`${run} hung since ${at}`)
		},
		clock: systemClock
	});
	return { attention, crashes, now, told, report: () => attention.report('superadmin') };
}
const codes = async (facts: Partial<ReturnType<typeof world>>) =>
	(await open(facts).report()).items.map(({ code }) => code);
const mod = (fileName: string, code: string) =>
	({
		...{ fileName, name: fileName, modId: null, version: null, sha512: null },
		problems: [{ code, message: 'It is bad.' }]
	}) as unknown as Mod;
const operation = (facts: Partial<Operation>) =>
	({
		...{ id: '20260605T101112131Z-1a2b', kind: 'update', subject: 'Lithium 0.13.1' },
		...{ state: 'rolled-back', startedAt: ago(3), finishedAt: ago(2), by: 'ada', steps: [] },
		cause: { message: 'It did not start.', log: [], mods: [] },
		...facts
	}) as Operation;
const backup = (facts: Partial<Backup>) =>
	({ id: 'b', createdAt: ago(1), state: 'complete', problem: null, ...facts }) as Backup;

test('a healthy server needs no attention', async () => {
	expect(await open().report()).toEqual({ items: [], crash: null, unasked: [], pending: false });
});

test('updates are not offered while the mods are being changed, by these updates perhaps', async () => {
	const newer = { fileName: 'lithium.jar', updateAvailable: true, locked: false };
	const updates = known({ mods: [newer] } as never);
	expect(await codes({ updates })).toEqual(['updates']);
	expect(await codes({ updates, running: { kind: 'update' } })).toEqual([]);
	for (const kind of ['restart', 'stop', 'backup', 'culprit'] as const)
		expect(await codes({ updates, running: { kind } }), kind).toEqual(['updates']);
});

test('that something is not told during a change is said, whatever it is', async () => {
	const newer = { fileName: 'lithium.jar', updateAvailable: true, locked: false };
	const updates = known({ mods: [newer] } as never);
	const machine = known({ ...FINE, worldSince: ago(72) });
	const operations = known([operation({})]);
	const isHeldBack = async (facts: Parameters<typeof open>[0]) =>
		(await open({ backups: known([backup({})]), ...facts }).report()).heldBack === true;
	for (const kind of ['install', 'update', 'remove', 'restore', 'upgrade', 'go-back'] as const) {
		expect(await isHeldBack({ updates, running: { kind } }), kind).toBe(true);
		// How the last one ended is told all the same.
		expect(await isHeldBack({ operations, running: { kind } }), kind).toBe(false);
		expect(await isHeldBack({ running: { kind } }), kind).toBe(false);
	}
	const first = { machine, backups: known([]) };
	expect(await isHeldBack({ ...first, running: { kind: 'backup' } })).toBe(true);
	expect(await isHeldBack(first)).toBe(false);
	expect(await isHeldBack({ running: { kind: 'backup' } })).toBe(false);
	for (const kind of ['restart', 'stop', 'start'] as const)
		expect(await isHeldBack({ updates, operations, ...first, running: { kind } })).toBe(false);
});

test('waiting updates are dated by when they were looked up', async () => {
	const checkedAt = '2026-01-02T02:04:05.000Z';
	const mods = [{ fileName: 'lithium.jar', updateAvailable: true, locked: false }];
	const { items } = await open({ updates: known({ checkedAt, mods } as never) }).report();
	expect(items).toMatchObject([{ code: 'updates', since: checkedAt }]);
});

test('updates that failed here together are offered as what they are', async () => {
	const newer = (fileName: string, facts = {}) => ({
		...{ fileName, updateAvailable: true, locked: false, leftOut: false, failedHere: null },
		...facts
	});
	const failed = { failedHere: { at: '2026-06-05T12:00:00.000Z', certain: false, ready: true } };
	const detail = async (mods: object[], facts: Parameters<typeof open>[0] = {}) => {
		const { items } = await open({ updates: known({ mods } as never), ...facts }).report();
		return items[0]?.detail;
	};
	const HOW = 'part of an update that did not stay up here on 5 Jun 2026; which mod is to blame';
	expect(await detail([newer('a.jar', failed), newer('b.jar', failed)])).toMatch(
		`They were ${HOW}`
	);
	expect(await detail([newer('a.jar', failed), newer('b.jar')])).toMatch(`1 of them was ${HOW}`);
	const running = { kind: 'culprit' } as const;
	expect(await detail([newer('a.jar', failed)], { running })).toMatch(
		/which mod is to blame is being found out\. If the server/
	);
	expect(await detail([newer('a.jar')])).toMatch(/^If the server/);
	expect(await detail([newer('a.jar', { ...failed, leftOut: true })])).toBeUndefined();
});

test('a hanging server that has not ended in two minutes is to be killed, which is the first thing to press', async () => {
	const toldAt = new Date(Date.now() - 130_000).toISOString();
	const silentSince = new Date(Date.now() - 135_000).toISOString();
	const silent = { state: 'stopping', hanging: true, silentSince, toldAt } as const;
	const running = operation({ kind: 'restart', state: 'running', finishedAt: null });
	const first = async (seen: Partial<Observation>, running: Operation, role: Role = 'superadmin') =>
		(await open({ seen, running }).attention.report(role)).items[0];
	expect(await first(silent, running)).toMatchObject({
		...{ code: 'hanging', since: toldAt },
		action: {
			label: 'Kill and start again',
			href: '/admin/confirm?do=kill',
			helps: true,
			danger: true
		},
		further: [{ href: '/admin/logs' }]
	});
	expect(await first(silent, { ...running, kind: 'stop' })).toMatchObject({
		advice: 'Kill it: what the game has not saved is lost.',
		action: { label: 'Kill' }
	});
	// It counts as one that hangs again after a while, and the operation still waits.
	expect(await first({ ...silent, state: 'unknown' }, running)).toMatchObject({ since: toldAt });
	expect(await first(silent, running, 'admin')).toMatchObject({
		...{ since: toldAt, action: { href: '/admin/logs' } },
		advice:
			'A superadmin can kill it: what the game has not saved is lost. It is started again then: if it is to stay down, stop it once it is up.'
	});
	const recent = new Date(Date.now() - 100_000).toISOString();
	expect((await first({ ...silent, toldAt: recent }, running))?.action?.helps).toBeUndefined();
});

test('one that answered until it was told to stop, and has not ended in two minutes, may be saving: its log comes first', async () => {
	const told = (s: number) => new Date(Date.now() - s * 1000).toISOString();
	const items = async (toldAt: string, role: Role = 'superadmin') =>
		(await open({ seen: { state: 'stopping', toldAt } }).attention.report(role)).items;
	const toldAt = told(130);
	expect((await items(toldAt))[0]).toMatchObject({
		...{ code: 'hanging', since: toldAt },
		advice: 'If nothing more is written there, kill it: what the game has not saved is lost.',
		action: { href: '/admin/logs' },
		further: [{ label: 'Kill', href: '/admin/confirm?do=kill', danger: true }]
	});
	expect((await items(toldAt, 'admin'))[0]).toMatchObject({
		advice: expect.stringContaining('a superadmin can kill it'),
		further: []
	});
	expect((await items(told(100))).map(({ code }) => code)).not.toContain('hanging');
});

test('a restart that was asked to kill it says so, and no other kill is advised', async () => {
	const seen = {
		hanging: true,
		silentSince: ago(0.1),
		state: 'stopping',
		toldAt: ago(0.05)
	} as const;
	const of = async (input: object, kind: OperationKind = 'restart') =>
		(await open({ seen, running: { kind }, asked: { running: input } }).report()).items[0]!;
	expect(await of({ kill: true })).toMatchObject({
		advice: expect.stringMatching(
			/^As requested, the restart kills it .*, and then starts it again\.$/
		),
		action: { href: '/admin/logs' }
	});
	for (const other of [await of({ kill: false }), await of({ kill: true }, 'stop')])
		expect(other.action).toMatchObject({ href: '/admin/confirm?do=kill' });
});

test('a server that hung before it was told to end is to be killed at once, and is not to be restarted once more', async () => {
	const seen = { hanging: true, silentSince: ago(0.1), state: 'unknown' } as const;
	const of = async (facts: Partial<ReturnType<typeof world>>, role: Role = 'superadmin') =>
		(await open(facts).attention.report(role)).items[0]!;
	const kill = {
		label: 'Kill and start again',
		href: '/admin/confirm?do=kill',
		helps: true,
		danger: true
	};
	const told = { ...seen, state: 'stopping', toldAt: ago(0) } as const;
	for (const now of [seen, told])
		expect(await of({ seen: now, running: { kind: 'restart' } })).toMatchObject({
			title: 'The server has not answered',
			detail: 'It hung before it was told to stop, so it will hardly stop by itself.',
			...{ since: seen.silentSince, action: kill, further: [{ href: '/admin/logs' }] },
			advice:
				'Kill it: what the game has not saved is lost. It is started again then: if it is to stay down, stop it once it is up.'
		});
	expect(await of({ seen: told, running: { kind: 'stop' } })).toMatchObject({
		action: { label: 'Kill' }
	});
	expect(await of({ seen: told, running: { kind: 'restart' } }, 'admin')).toMatchObject({
		...{
			advice: expect.stringMatching(/^A superadmin can kill it/),
			action: { href: '/admin/logs' }
		}
	});
	// A backup does not end it.
	expect(await of({ seen, running: { kind: 'backup' } })).toMatchObject({
		...{ advice: expect.stringMatching(/^Restart the server/), action: { href: '/admin/logs' } }
	});
});

test('what is under way is not advised', async () => {
	const seen = { state: 'unknown', silentSince: ago(0.01) } as const;
	const refused = { at: ago(1), message: 'No.' };
	const of = async (running: { kind: OperationKind } | null) =>
		(await open({ seen, refused, running }).report()).items;
	const [silent, rcon] = await of(null);
	expect(silent!.advice).toContain('restart the server');
	expect(rcon!.action).toMatchObject({ label: 'Restart the server' });
	const [ending, meanwhile] = await of({ kind: 'restart' });
	expect(ending!.advice).not.toContain('restart the server');
	expect(meanwhile!.action).toMatchObject({ label: 'Check again' });
});

test('a server that runs slow is told so, and since when, as long as it runs', async () => {
	const slow = { since: ago(1 / 6), tps: 15.7, mspt: 62.4 };
	const { items } = await open({ slow, seen: { state: 'running' } }).report();
	expect(items).toMatchObject([
		{
			code: 'slow',
			title: 'The server runs slow: 15.7 of 20 ticks a second for 10 minutes',
			detail: 'Players may notice it: a tick takes 62 ms instead of 50 ms at most.',
			advice: expect.stringMatching(
				/^What usually helps: [^.]*\(view-distance in server\.properties\)\.$/
			),
			action: { label: 'Analytics', href: '/admin/analytics#tps' }
		}
	]);
	expect(await codes({ slow })).toEqual([]);
});

test('a mod that makes the game faster is offered to a slow server that loads mods', async () => {
	const slow = { since: ago(1 / 6), tps: 15.7, mspt: 62.4 };
	const first = async (loader: Installation['loader']) =>
		(await open({ slow, found: { loader }, seen: { state: 'running' } }).report()).items[0]!;
	const { advice, action, further } = await first('fabric');
	expect(advice).toMatch(/^What usually helps: a mod that makes the game faster, .* fewer chunks/);
	expect(action).toMatchObject({
		...{ label: 'Find a performance mod', helps: true },
		href: '/admin/mods?tab=find&category=optimization'
	});
	expect(further).toMatchObject([{ label: 'Analytics' }]);
	for (const loader of ['vanilla', 'paper', null] as const) {
		expect((await first(loader)).advice).not.toContain('mod');
		expect(await first(loader)).toMatchObject({ action: { label: 'Analytics' }, further: [] });
	}
});

test('a server that answers without a visible process does not count as healthy', async () => {
	expect(await codes({ unseen: true })).toEqual(['unseen']);
});

test('the most urgent comes first, each with a time and one action', async () => {
	const { items } = await open({
		...{ damaged: true, asRoot: true, found: { problem: 'Odd.' }, seen: { state: 'unknown' } },
		refused: { at: ago(1), message: 'No.' },
		mods: known([mod('a.jar', 'broken'), mod('b.jar', 'missing-dependency')]),
		operations: known([operation({}), operation({ kind: 'backup', state: 'failed' })]),
		machine: known({
			...FINE,
			javaMissing: 'java',
			disks: [{ what: 'the server', freeBytes: GIB, totalBytes: 200 * GIB }]
		}),
		backups: known([backup({ createdAt: ago(8 * 24) })])
	}).report();
	expect(items.map(({ code }) => code)).toEqual([
		...['unknown', 'java-missing', 'disk-low', 'mods-damaged', 'mods-missing'],
		...['backup-damaged', 'rcon-refused', 'change-failed', 'backup-failed', 'backup-old'],
		...['folder', 'root']
	]);
	for (const item of items) {
		// It has been so ever since the dashboard was started.
		if (item.code === 'root') expect(item).toEqual({ ...item, since: null, noticed: undefined });
		else expect(item.since, item.code).not.toBeNull();
		expect(item.action?.href, item.code).toMatch(/^\/admin/);
	}
});

test('a check that failed is shown, and does not count as healthy', async () => {
	const { items, unasked, pending } = await open({
		updates: { value: null, problem: 'The registry does not answer.' },
		mods: { value: null, problem: null }
	}).report();
	expect({ items, unasked, pending }).toEqual({
		items: [],
		unasked: [
			{ source: 'mods', what: 'whether the mods are in order', why: null },
			{
				...{ source: 'updates', what: 'whether updates are waiting' },
				why: 'The registry does not answer.'
			}
		],
		pending: true
	});
});

test('for a server that does not answer, each role is told what they may do themselves', async () => {
	const { attention } = open({ seen: { state: 'unknown' } });
	const [forAdmin] = (await attention.report('admin')).items;
	const [forSuperadmin] = (await attention.report('superadmin')).items;
	expect(forAdmin).toMatchObject({
		title: 'The server does not answer',
		detail: 'Because.',
		advice: expect.stringContaining('a superadmin can kill')
	});
	expect(forSuperadmin!.advice).toContain('have it killed');
	for (const { action, further } of [forAdmin!, forSuperadmin!])
		expect([action?.href, further]).toEqual(['/admin/logs', []]);
});

test('a server that hangs is told with the same steps as one that has just fallen silent, and the log beside them', async () => {
	const silentSince = ago(3 / 60);
	const of = async (seen: Partial<Observation>, role: 'admin' | 'superadmin') =>
		(await open({ seen: { silentSince, ...seen } }).attention.report(role)).items;
	expect(await codes({ seen: { state: 'stopping', silentSince } })).toEqual([]);
	for (const [role, kill, late] of [
		['admin', 'a superadmin can kill it: what the game has not saved is lost.', null],
		[
			'superadmin',
			'kill it: what the game has not saved is lost.',
			': you can have it killed then, and what the game has not saved is lost.'
		]
	] as const) {
		const log = { action: { href: '/admin/logs' }, further: [] };
		const steps = `estart the server. That tells it to stop first, which a server that is stuck seldom does${late ?? `. If it hasn’t stopped in a minute or two, ${kill}`}`;
		expect(await of({ state: 'unknown' }, role)).toMatchObject([
			{ code: 'unknown', advice: expect.stringContaining(`If it lasts longer, r${steps}`), ...log }
		]);
		expect(await of({ state: 'unknown', hanging: true }, role)).toMatchObject([
			{
				code: 'hanging',
				title: 'The server has not answered',
				since: silentSince,
				advice: `R${steps}`,
				action: { label: 'Restart', href: '/admin/confirm?do=restart', helps: true },
				further: [{ href: '/admin/logs' }]
			}
		]);
		expect(
			await of({ state: 'stopping', hanging: true, toldAt: ago(1.5 / 60) }, role)
		).toMatchObject([
			{ code: 'hanging', advice: `If it hasn’t stopped in a minute or two, ${kill}`, ...log }
		]);
	}
});

test('missing setup is shown to those who are not guided through it', async () => {
	const facts = {
		found: { command: null, problem: 'No jar.' },
		missing: ['A way to start it', 'RCON turned on']
	};
	expect(await codes(facts)).toEqual([]);
	expect((await open(facts).attention.report('admin')).items).toMatchObject([
		{ code: 'setup', detail: 'Still to do: A way to start it, RCON turned on.' }
	]);
});

test('what cannot be written is named, with what is lost and why', async () => {
	const why = 'the disk is full';
	const unwritten = [
		{ what: 'the audit log', lost: 2, why },
		{ what: 'the measurements', lost: 1, why }
	];
	expect((await open({ unwritten }).report()).items).toMatchObject([
		{
			code: 'not-written',
			detail:
				'New entries of the audit log and the measurements cannot be written: the disk is full. So far 3 are lost.'
		}
	]);
});

test('a missing backup matters only when there is a world to lose, and a later good one resolves it', async () => {
	const old = known({ ...FINE, worldSince: ago(30 * 24) });
	expect(await codes({ machine: old })).toEqual(['backup-old']);
	expect(await codes({ machine: known({ ...FINE, worldSince: null }) })).toEqual([]);
	expect(await codes({ machine: old, backups: known([backup({})]) })).toEqual([]);
	expect(await codes({ machine: old, running: { kind: 'backup' } })).toEqual([]);
	const damaged = known([backup({ state: 'damaged', problem: 'x' })]);
	expect(await codes({ machine: old, backups: damaged })).toEqual(['backup-old']);
	const failed = operation({ kind: 'backup', state: 'failed' });
	expect(await codes({ operations: known([failed]) })).toEqual(['backup-failed']);
	const good = operation({ kind: 'backup', state: 'succeeded' });
	expect(await codes({ operations: known([good, failed]) })).toEqual([]);
});

test('a world without a backup can wait for its first day, and is backed up by one press', async () => {
	const of = async (worldSince: string, backups: Backup[] = []) =>
		(await open({ machine: known({ ...FINE, worldSince }), backups: known(backups) }).report())
			.items;
	const back = { label: 'Back up now', helps: true, backUp: true };
	expect(await of(ago(0.1))).toEqual([]);
	expect(await of(ago(0.5))).toMatchObject([
		{ code: 'backup-old', title: 'There is no backup yet', canWait: true, action: back }
	]);
	const [urgent] = await of(ago(25), [backup({ state: 'damaged', problem: 'x' })]);
	expect(urgent).toMatchObject({ title: 'There is no good backup yet', action: back });
	expect(urgent!.canWait).toBeUndefined();
});

test('a rolled-back update is not urgent once the server has come up well since, or has been well for a while', async () => {
	const run = { id: '1', startedAt: ago(1) } as NonNullable<Observation['run']>;
	const up = { state: 'running', run, readyAt: ago(1) } as const;
	const canWait = async (seen: Partial<Observation>, facts: Partial<Operation> = {}) =>
		(await open({ operations: known([operation(facts)]), seen }).report()).items.find(
			({ code }) => code === 'change-failed'
		)!.canWait;
	expect(await canWait(up)).toBe(true);
	for (const seen of [{ ...up, state: 'starting' }, { ...up, hanging: true }, {}] as const)
		expect(await canWait(seen as Partial<Observation>)).toBeUndefined();
	expect(await canWait(up, { state: 'failed' })).toBeUndefined();
	// The rollback has started it.
	const before = { ...up, run: { ...run, startedAt: ago(4) } };
	expect(await canWait(before, { finishedAt: ago(0.1) })).toBeUndefined();
	expect(await canWait(before, { finishedAt: ago(0.2) })).toBe(true);

	// It was well since, and was stopped: that makes it no more urgent.
	const failed = operation({});
	const after = (facts: Partial<Operation>) =>
		operation({ id: `${failed.id}-later`, kind: 'start', state: 'succeeded', ...facts });
	const then = async (state: Observation['state'], one: Operation) =>
		(
			await open({ operations: known([one, failed]), seen: { state, run: null } }).report()
		).items.find(({ code }) => code === 'change-failed')!.canWait;
	for (const state of ['stopped', 'starting'] as const)
		expect(await then(state, after({})), state).toBe(true);
	for (const trouble of [
		{ state: 'failed' },
		{ crashed: { at: ago(1) } },
		{ hung: { at: ago(1) } },
		{ kind: 'backup' },
		{ kind: 'stop', startedAt: failed.finishedAt! }
	] as const)
		expect(await then('stopped', after(trouble)), JSON.stringify(trouble)).toBeUndefined();
	const verified = (status: 'done' | 'skipped') =>
		after({ kind: 'install', steps: [{ id: 'verify', status }] as Operation['steps'] });
	expect(await then('stopped', verified('done'))).toBe(true);
	expect(await then('stopped', verified('skipped'))).toBeUndefined();
	// That is told by itself.
	for (const state of ['crashed', 'unknown', 'stopping'] as const)
		expect(await then(state, after({})), state).toBe(true);
});

test('a rolled-back update is shown until somebody has looked, or a later one worked', async () => {
	const failed = operation({});
	const { attention, told, report } = open({ operations: known([failed]) });
	const [item] = (await report()).items;
	expect(item).toMatchObject({
		advice: 'The mods are as they were before.',
		since: failed.finishedAt,
		// Reading about it is not the same as saying so.
		action: { href: `/admin/operations/${failed.id}`, seen: null },
		further: [{ label: 'Mark as seen', seen: `operation:${failed.id}` }]
	});
	const key = item!.further[0]!.seen!;
	await attention.see(key, ADA);
	await attention.see(key, ADA);
	expect((await report()).items).toEqual([]);
	expect(told).toEqual([`ada attention.seen operation:${failed.id}`]);
	// Also after a restart of the dashboard.
	expect(await codes({ operations: known([failed]) })).toEqual([]);
	// It was done, and is not to blame for a server that does not start.
	const kept = operation({ id: '20260606T101112130Z-1a2b', state: 'failed', kept: 'Removed.' });
	expect(await codes({ operations: known([kept]) })).toEqual([]);
	const next = operation({ id: '20260606T101112131Z-1a2b' });
	expect(await codes({ operations: known([next, failed]) })).toEqual(['change-failed']);
	expect(await codes({ operations: known([operation({ state: 'succeeded' }), next]) })).toEqual([]);
});

test('each change that failed is told until somebody has looked, whatever has failed since', async () => {
	const id = (n: number) => `2026060${n}T101112131Z-1a2b`;
	const one = (n: number, subject: string, facts: Partial<Operation> = {}) =>
		operation({ id: id(n), kind: 'install', subject, ...facts });
	const quiet = one(1, 'Quiet Villagers', { kind: 'update' });
	const again = one(2, 'Veinminer');
	const newest = one(3, 'Veinminer');
	const { attention, report } = open({ operations: known([newest, again, quiet]) });
	const keys = async () => (await report()).items.map(({ key }) => key);
	// Of two about the same only the newest.
	expect(await keys()).toEqual([`operation:${id(3)}`, `operation:${id(1)}`]);
	await attention.see(`operation:${id(3)}`, ADA);
	expect(await keys()).toEqual([`operation:${id(1)}`]);
	const updated = one(6, 'Lithium', { kind: 'update', state: 'succeeded' });
	const titles = async (operations: Operation[]) =>
		(await open({ operations: known(operations) }).report()).items.map(({ title }) => title);
	expect(await titles([updated, one(5, 'Salt'), quiet])).toEqual([
		'An installation was rolled back: Salt'
	]);
	const many = [9, 8, 7, 6].map((n) => one(n, `Mod ${n}`));
	expect(await titles([...many, quiet])).toEqual(
		[9, 8, 7].map((n) => `An installation was rolled back: Mod ${n}`)
	);
});

test('what was found out about a failed change stays with it when another one fails', async () => {
	const culprits = [{ fileName: 'quiet-3.jar', title: 'Quiet Villagers', version: '3.0.0' }];
	const failed = operation({});
	const search = operation({
		...{ id: '20260605T111112131Z-1a2b', kind: 'culprit', state: 'succeeded' },
		result: { culprits, together: false, rest: ['a.jar'] }
	});
	const other = operation({
		...{ id: '20260606T101112131Z-1a2b', kind: 'upgrade', subject: 'Minecraft 1.21.5' }
	});
	const ofAll = operation({
		...{ id: '20260607T101112131Z-1a2b', kind: 'culprit', state: 'running', finishedAt: null }
	});
	const { report } = open({
		operations: known([ofAll, other, search, failed]),
		mods: known([{ ...mod('a.jar', 'y'), problems: [] }]),
		asked: { [search.id]: { operationId: failed.id }, [ofAll.id]: { scope: 'all' } }
	});
	expect((await report()).items).toMatchObject([
		{
			title: 'An upgrade was rolled back: Minecraft 1.21.5',
			advice: expect.stringMatching(/^The old game version is back/),
			action: { label: 'What happened', href: `/admin/operations/${other.id}` }
		},
		{
			title: 'Quiet Villagers 3.0.0 does not start here.',
			action: { label: 'Update the other one' }
		}
	]);
});

test('the other updates are not offered again by an old search once one of them has failed', async () => {
	const culprits = [{ fileName: 'quiet-3.jar', title: 'Quiet Villagers', version: '3.0.0' }];
	const failed = operation({ kind: 'update' });
	const search = operation({
		...{ id: '20260605T111112131Z-1a2b', kind: 'culprit', state: 'succeeded' },
		result: { culprits, together: false, rest: ['a.jar'], tried: 0 }
	});
	const item = async (later: Operation[]) => {
		const { report } = open({
			operations: known([...later, search, failed]),
			mods: known([{ ...mod('a.jar', 'y'), problems: [] }]),
			asked: { [search.id]: { operationId: failed.id } }
		});
		return (await report()).items.find(({ key }) => key === `operation:${failed.id}`)!;
	};
	expect(await item([])).toMatchObject({
		detail: 'The other update has not been tried without it.',
		action: { label: 'Update the other one' }
	});
	const again = operation({
		...{ id: '20260606T101112131Z-1a2b', kind: 'update', subject: '1 mod', state: 'failed' }
	});
	const { detail, action } = await item([again]);
	expect(action?.label).toBe('What happened');
	expect(detail).toBe('Its page says how that was found out.');
});

test('that the mods are as before is said until something has changed them since', async () => {
	const failed = operation({ id: '20260606T101112130Z-1a2b', subject: 'Salt 2' });
	const after = async (facts: Partial<Operation>) => {
		const later = operation({ id: '20260606T101112140Z-1a2b', state: 'succeeded', ...facts });
		const [item] = (await open({ operations: known([later, failed]) }).report()).items;
		return item?.advice;
	};
	const still = 'The mods are as they were before.';
	const then = 'The mods were put back then, and have been changed since.';
	expect(await after({ kind: 'disable', subject: 'Lithium' })).toBe(then);
	expect(await after({ kind: 'disable', state: 'cancelled' })).toBe(still);
	expect(await after({ kind: 'restart', subject: null })).toBe(still);
	// A world.
	expect(await after({ kind: 'restore', subject: 'a backup' })).toBe(still);
});

test('what was rolled back names whom the log names', async () => {
	const cause = { message: 'It did not stay up.', log: [], mods: ['waymarks-2.jar'] };
	const upgrade = (facts: object) =>
		open({
			operations: known([operation({ kind: 'upgrade', cause: { ...cause, ...facts } })])
		}).report();
	expect((await upgrade({ titles: { 'waymarks-2.jar': 'Waymarks' } })).items).toMatchObject([
		{ detail: 'It did not stay up. Named in the log: Waymarks.' }
	]);
	expect((await upgrade({ message: 'waymarks-2.jar crashed.' })).items).toMatchObject([
		{ detail: 'waymarks-2.jar crashed.' }
	]);
});

test('what a trial has stopped is told as that, and not as a failure', async () => {
	const cause = { message: 'It does not start.', log: [], mods: [] };
	const titleWith = async (more: Partial<NonNullable<Operation['cause']>>) => {
		const failed = operation({
			...{ kind: 'update', subject: '5 mods', state: 'failed' },
			cause: { ...cause, ...more }
		});
		return (await open({ operations: known([failed]) }).report()).items[0]?.title;
	};
	expect(await titleWith({ onCopy: true })).toBe('An update was stopped on a copy: 5 mods');
	expect(await titleWith({})).toBe('An update failed: 5 mods');
});

test('how a change ended stays while the mods are being changed again, and what to do about it waits', async () => {
	const operations = known([operation({})]);
	const told = async (kind: Operation['kind']) =>
		(await open({ operations, running: { kind } }).report()).items[0]!;
	for (const kind of ['install', 'update', 'disable', 'restore', 'upgrade'] as const) {
		const { code, action, further, advice } = await told(kind);
		expect({ code, action, further, advice }).toMatchObject({
			code: 'change-failed',
			action: { label: 'What happened' },
			further: [{ label: 'Mark as seen' }],
			advice:
				'What is under way may change this. What can be done about it is shown when that is over.'
		});
	}
	for (const kind of ['culprit', 'backup'] as const)
		expect((await told(kind)).advice).not.toContain('has ended');
});

test('an installation that was rolled back stays until somebody has seen it, whatever else is installed', async () => {
	const install = (subject: string, facts: Partial<Operation>) =>
		operation({ kind: 'install', subject, ...facts });
	const failed = install('Ruin Keeper', {});
	const other = install('Great Vaults', { state: 'succeeded' });
	const update = operation({ kind: 'update', subject: '3 mods', state: 'succeeded' });
	expect(await codes({ operations: known([update, other, failed]) })).toEqual(['change-failed']);
	const again = install('Ruin Keeper', { state: 'succeeded' });
	expect(await codes({ operations: known([again, failed]) })).toEqual([]);
});

test('what the mods that were taken back did in the world is said, with the backup that undoes it', async () => {
	const id = '20260605T101112Z-1a2b';
	const of = async (viewer: 'admin' | 'superadmin', made: string | null, left: Backup[]) => {
		const failed = operation({ worldOpened: { backup: made } });
		const facts = { operations: known([failed]), backups: known(left) };
		return (await open(facts).attention.report(viewer)).items[0];
	};
	const advice =
		'The mods are as they were before. The new ones had opened the world by then, and what they changed in it stays';
	const seen = { label: 'Mark as seen' };
	const left = [backup({ id })];
	expect(await of('superadmin', id, left)).toMatchObject({
		advice: `${advice}, unless you restore the backup made just before.`,
		further: [{ href: `/admin/backups/restore?backup=${id}&scope=world` }, seen]
	});
	expect(await of('admin', id, left)).toMatchObject({
		advice: `${advice}, unless a superadmin restores the backup made just before.`,
		further: [seen]
	});
	for (const gone of [[], [backup({ id, state: 'damaged', problem: 'x' })]])
		expect(await of('superadmin', id, gone)).toMatchObject({
			advice: `${advice}.`,
			further: [seen]
		});
	expect(await of('superadmin', null, left)).toMatchObject({
		advice: `${advice}.`,
		further: [seen]
	});
	const failed = operation({ worldOpened: { backup: id } });
	const restored = operation({
		...{
			id: `${failed.id}-later`,
			kind: 'restore',
			state: 'succeeded',
			subject: `the backup ${id}`
		}
	});
	const facts = { operations: known([restored, failed]), backups: known(left) };
	const [item] = (await open(facts).attention.report('superadmin')).items;
	expect(item!.advice).toMatch(/the backup made just before has been restored since\.$/);
	expect(item!.further).toMatchObject([seen]);
});

test('a mod to blame is shown until it has a newer version, or the others were updated', async () => {
	const culprits = [{ fileName: 'quiet-3.jar', title: 'Quiet Villagers', version: '3.0.0' }];
	const result = { culprits, together: false, rest: ['a.jar'] };
	const failed = operation({});
	const search = operation({
		...{ id: '20260605T111112131Z-1a2b', kind: 'culprit', state: 'succeeded', result }
	});
	const operations = known([search, failed]);
	const quiet = { ...mod('quiet-2.jar', 'x'), name: 'Quiet Villagers', problems: [] };
	const other = { ...mod('a.jar', 'y'), problems: [] };
	const withLatest = (fileName: string, others = [other]) => ({
		...{ operations, asked: { [search.id]: { operationId: failed.id } } },
		mods: known([quiet, ...others]),
		updates: known({
			checkedAt: null,
			mods: [
				{ fileName: 'quiet-2.jar', updateAvailable: true, leftOut: true, latest: { fileName } }
			]
		}) as Known<never>
	});
	expect((await open(withLatest('quiet-3.jar')).report()).items).toMatchObject([
		{
			title: 'Quiet Villagers 3.0.0 does not start here.',
			action: { label: 'Update the other one', href: '/admin/mods/plan?do=update&file=a.jar' },
			further: [
				{ label: 'What happened', href: `/admin/operations/${search.id}` },
				{ label: 'Mark as seen' }
			]
		}
	]);
	// The others are not there any more.
	expect((await open(withLatest('quiet-3.jar', [])).report()).items).toMatchObject([
		{ action: { label: 'What happened' }, further: [{ label: 'Mark as seen' }] }
	]);
	expect(await codes(withLatest('quiet-4.jar'))).not.toContain('change-failed');
	const upgraded = operation({
		...{ id: '20260606T101112131Z-1a2b', kind: 'upgrade', state: 'succeeded' }
	});
	expect(await codes({ operations: known([upgraded, search, failed]) })).toEqual([]);
	const updated = operation({ id: '20260606T101112131Z-1a2b', state: 'succeeded' });
	expect(await codes({ operations: known([updated, search, failed]) })).toEqual([]);
});

test('updates that a failed change offers already are not offered twice, and others with them are', async () => {
	const result = {
		culprits: [{ fileName: 'quiet-3.jar', title: 'Quiet Villagers', version: '3.0.0' }],
		...{ together: false, rest: ['a.jar', 'b.jar'] }
	};
	const failed = operation({});
	const search = operation({
		...{ id: '20260605T111112131Z-1a2b', kind: 'culprit', state: 'succeeded', result }
	});
	const files = ['a.jar', 'b.jar', 'c.jar'];
	const waiting = (names: string[]) => ({
		operations: known([search, failed]),
		asked: { [search.id]: { operationId: failed.id } },
		mods: known(files.map((name) => ({ ...mod(name, name), problems: [] }))),
		updates: known({
			checkedAt: null,
			mods: [
				{ fileName: 'quiet-2.jar', updateAvailable: true, leftOut: true },
				...names.map((fileName) => ({ fileName, updateAvailable: true }))
			]
		}) as Known<never>
	});
	expect(await codes(waiting(['b.jar', 'a.jar']))).toEqual(['change-failed']);
	for (const others of [files, ['a.jar'], ['a.jar', 'c.jar']])
		expect(await codes(waiting(others))).toEqual(['change-failed', 'updates']);
	const { attention, report } = open(waiting(['a.jar', 'b.jar']));
	await attention.see(`operation:${failed.id}`, { name: 'ada' } as never);
	expect((await report()).items).toMatchObject([{ code: 'updates' }]);
});

test('the advice after a change that did not work fits what was done about it', async () => {
	const adviceAfter = async (facts: Partial<Operation>) =>
		(await open({ operations: known([operation(facts)]) }).report()).items[0]!.advice;
	expect(await adviceAfter({ kind: 'install' })).toMatch(/^It is not installed any more/);
	expect(await adviceAfter({ kind: 'upgrade' })).toMatch(/^The old game version is back/);
	expect(await adviceAfter({ kind: 'install', state: 'failed' })).toBeNull();
});

test('an upgrade that a mod has stopped can be planned without it, by those who may upgrade', async () => {
	const failed = operation({
		...{ kind: 'upgrade', subject: 'Minecraft 1.21.5' },
		steps: [{ id: 'trial', status: 'failed' }] as Operation['steps'],
		cause: {
			message:
				'Quiet Villagers failed while it was loaded: java.lang.NullPointerException: Cannot invoke "a.b.c()" because "d" is null. This was found on a copy.',
			...{ log: [], mods: ['quiet_villagers'], titles: { quiet_villagers: 'Quiet Villagers' } }
		}
	});
	const quiet = { fileName: 'quiet.jar', name: 'Quiet Villagers', enabled: true, problems: [] };
	const facts = {
		operations: known([failed]),
		mods: known([{ ...quiet, modId: null } as unknown as Mod]),
		asked: { [failed.id]: { target: { gameVersion: '1.21.5' }, change: { rename: [] } } }
	};
	const { attention } = open(facts);
	expect((await attention.report('superadmin')).items).toMatchObject([
		{
			detail: 'Quiet Villagers failed while it was loaded. This was found on a copy.',
			action: {
				...{ label: 'Plan without Quiet Villagers', helps: true },
				...{ href: `/admin/operations/${failed.id}` },
				upgrade: { gameVersion: '1.21.5', park: ['quiet.jar'] }
			},
			further: [{ label: 'What happened' }, { label: 'Mark as seen' }]
		}
	]);
	const [forAdmins] = (await attention.report('admin')).items;
	expect(forAdmins).toMatchObject({ action: { label: 'What happened' } });
	const [unknown] = (await open({ ...facts, asked: {} }).report()).items;
	expect(unknown).toMatchObject({ action: { label: 'What happened' } });
});

test('while a search runs it is said what for: no mod is looked for that is named already', async () => {
	const search = operation({
		...{ id: '20260605T111112131Z-1a2b', kind: 'culprit', state: 'running', finishedAt: null }
	});
	const advice = async (mods: string[]) => {
		const failed = operation({ cause: { message: 'It did not start.', log: [], mods } });
		const asked = { [search.id]: { operationId: failed.id } };
		return (await open({ operations: known([search, failed]), asked }).report()).items[0]!.advice;
	};
	expect(await advice([])).toMatch(/^The mod to blame is being searched for/);
	expect(await advice(['quiet_villagers'])).toMatch(
		/^Copies of the server are being started to learn more/
	);
});

test('a start that timed out is listed while the server is still starting', async () => {
	const booted: Step = {
		...{ id: 'ready', label: 'Wait', status: 'failed', detail: null, progress: null, at: ago(0) },
		expected: { usualMs: 30_000, limitMs: 300_000 }
	};
	const gaveUp = operation({
		...{ kind: 'start', state: 'failed' },
		cause: { message: 'Still loading after 5 minutes.', log: [], mods: [], loading: true },
		steps: [booted]
	});
	const { now, report } = open({ operations: known([gaveUp]), seen: { state: 'starting' } });
	expect((await report()).items).toMatchObject([
		{
			...{ code: 'slow-start', title: 'The server has been loading', since: gaveUp.startedAt },
			detail:
				'Usually it takes 30 s. It was not stopped, as it may still come up. Give it more time, or stop it.',
			// Stop is one of the server's own buttons.
			...{ action: { href: '/admin/logs' }, further: [{ label: 'What happened' }] }
		}
	]);
	const run = { startedAt: ago(0) } as NonNullable<Observation['run']>;
	now.seen = { state: 'starting', run };
	expect((await report()).items).toEqual([]);
	now.seen = { state: 'starting', hanging: true, reason: 'Its log stands still.' };
	const late = {
		code: 'slow-start',
		detail: 'Its log stands still.',
		action: { href: '/admin/logs' }
	};
	expect((await report()).items).toMatchObject([
		{ ...late, advice: expect.stringMatching(/Give it more time, or stop it(?!.*restart)/) }
	]);
	now.seen = { state: 'starting', stalled: true, reason: 'Its log stands still.' };
	expect((await report()).items).toMatchObject([
		{ code: 'slow-start', detail: expect.stringMatching(/^Its log stands still\. Usually/) }
	]);
	now.seen = { state: 'running' };
	expect((await report()).items).toEqual([]);
});

test('an entry without a start time is dated by when it was first found', async () => {
	const mods = known([mod('a.jar', 'duplicate')]);
	const [first] = (await open({ mods }).report()).items;
	await expect
		.poll(() => readFile(path.join(dir, 'attention.json'), 'utf8').catch(() => ''))
		.toContain('mods-damaged');
	const [again] = (await open({ mods }).report()).items;
	expect(again!.since).toBe(first!.since);
});

test('the jars that may prevent it from starting are named', async () => {
	const mods = known([mod('a.jar', 'broken'), mod('c.jar', 'client-only')]);
	expect(await open({ mods }).attention.damagedJars()).toEqual(['a.jar: It is bad.']);
});

const CRASHED: Partial<Observation> = {
	state: 'crashed',
	reason: 'Sodium crashed.',
	endedAt: ago(1),
	diagnosis: {
		code: 'mods',
		message: 'x',
		log: ['line'],
		mods: ['sodium'],
		advice: ''
	} as Diagnosis & object
};

test('one that was started again since is not advised to be started', async () => {
	const diagnosis = {
		...{ code: 'killed', message: 'x', log: [], mods: [] },
		advice: 'Start it again. If that happens again, lower -Xmx.'
	} as unknown as Diagnosis & object;
	const { crashes, now, report } = open({ seen: { ...CRASHED, diagnosis } });
	expect((await report()).crash?.advice).toBe(diagnosis.advice);
	await crashes.look();
	now.seen = { state: 'running' };
	expect((await report()).crash?.advice).toBe('If that happens again, lower -Xmx.');
});

test('a crash is shown while it lasts, and afterwards until somebody has looked', async () => {
	const files: LogFile[] = [
		{ name: 'crash-1.txt', kind: 'crash', bytes: 1, modifiedAt: CRASHED.endedAt! },
		{ name: '2026-01-02-1.log.gz', kind: 'archive', bytes: 1, modifiedAt: ago(0.5) },
		{ name: '2026-01-01-1.log.gz', kind: 'archive', bytes: 1, modifiedAt: ago(9) }
	];
	const { attention, crashes, now, report } = open({ seen: CRASHED, files });
	expect((await report()).crash).toMatchObject({ lasts: true, message: 'Sodium crashed.' });
	await crashes.look();
	const key = `crash:${CRASHED.endedAt}`;
	expect((await report()).crash).toMatchObject({
		...{ at: CRASHED.endedAt, key, lasts: true, seen: false, fault: 'sodium' },
		...{ report: 'crash-1.txt', log: '/admin/logs', lines: ['line'] }
	});
	now.mods = known([
		{ ...mod('sodium-1.jar', 'x'), modId: 'sodium', name: 'Sodium', problems: [], enabled: true }
	]);
	expect((await report()).crash).toMatchObject({
		fault: 'Sodium',
		mods: [{ fileName: 'sodium-1.jar', name: 'Sodium' }]
	});
	now.seen = { state: 'running' };
	expect((await report()).crash).toMatchObject({
		lasts: false,
		log: '/admin/logs?file=2026-01-02-1.log.gz'
	});
	await attention.see(key, ADA);
	expect((await report()).crash).toBeNull();
	now.seen = CRASHED;
	expect((await report()).crash).toMatchObject({ lasts: true, seen: true });
});

test('what names the mod is shown of a crash', async () => {
	const line = 'at knot//net.World.handler$zza$sodium$tick(World.java:1)';
	const log = ['Exception ticking world', line, 'at sodiumish.Other'];
	const seen = { ...CRASHED, diagnosis: { ...CRASHED.diagnosis!, log } };
	const { crashes, report } = open({ seen });
	await crashes.look();
	expect((await report()).crash).toMatchObject({ named: line });
	expect(namedIn({ lines: log.slice(0, 1), mods: ['sodium'] }, {})).toBeNull();
	expect(
		namedIn({ lines: ['Mod Sodium Extra'], mods: ['x'] }, { x: 'Sodium Extra' })
	).not.toBeNull();
});

test('a crash is noted at the operation that had started that run, also while the mods are changed', async () => {
	const files: LogFile[] = [
		{ name: 'crash-1.txt', kind: 'crash', bytes: 1, modifiedAt: CRASHED.endedAt! }
	];
	const { crashes, now, told } = open({ seen: CRASHED, files, running: { kind: 'update' } });
	await crashes.look();
	expect(told).toEqual([]); // nobody knows which run it was
	now.seen = { ...CRASHED, endedRun: 'run-1' };
	await crashes.look();
	expect(told).toEqual([`run-1 crashed at ${CRASHED.endedAt}: crash-1.txt`]);
});

test.each([
	{ begun: 2, written: [3], report: null },
	{ begun: 2, written: [1, 3], report: 'crash-1.txt' },
	{ begun: 5, written: [3], report: 'crash-3.txt' }
])(
	'of a run that began $begun minutes before its crash the reports from $written are looked at: $report',
	async ({ begun, written, report: name }) => {
		const endedAt = CRASHED.endedAt!;
		const before = (minutes: number) =>
			new Date(Date.parse(endedAt) - minutes * 60_000).toISOString();
		const files = written.map((minutes): LogFile => {
			const modifiedAt = before(minutes);
			return { name: `crash-${minutes}.txt`, kind: 'crash', bytes: 1, modifiedAt };
		});
		const seen = { ...CRASHED, lastRun: { startedAt: before(begun), endedAt } };
		const { crashes, report } = open({ seen, files });
		expect((await report()).crash!.report).toBe(name);
		await crashes.look();
		expect((await report()).crash!.report).toBe(name);
	}
);

test('a crash that names a mod is not put down to a restore of the world alone', async () => {
	const restore = { startedAt: ago(2), at: ago(2), title: 'Restore the backup', ofMods: false };
	const changeOf = async (mods: string[], ofMods: boolean) => {
		const diagnosis = { ...CRASHED.diagnosis!, mods };
		const lastChange = known({ ...restore, ofMods }) as Known<never>;
		return (await open({ seen: { ...CRASHED, diagnosis }, lastChange }).report()).crash!.change;
	};
	expect(await changeOf(['sodium'], false)).toBeNull();
	expect(await changeOf(['sodium'], true)).not.toBeNull();
	expect(await changeOf([], false)).not.toBeNull();
});

test('what ended the server from outside is put down to no change of the mods', async () => {
	const change = { startedAt: ago(2), at: ago(2), title: 'Update 5 mods' };
	const crashOf = async (remedy: Pick<NonNullable<Diagnosis>, 'remedy'>) => {
		const diagnosis = { ...CRASHED.diagnosis!, code: 'memory' as const, mods: [], ...remedy };
		const lastChange = known(change) as Known<never>;
		return (await open({ seen: { ...CRASHED, diagnosis }, lastChange }).report()).crash;
	};
	expect(await crashOf({ remedy: 'start' })).toMatchObject({
		fault: 'Whoever ended it, or too little memory',
		change: null
	});
	expect(await crashOf({})).toMatchObject({
		fault: 'Too little memory',
		change: { title: change.title }
	});
});

test('that a run hung is noted when it has ended, and not when it answers again', async () => {
	const run = { id: 'run-1', startedAt: ago(1) } as NonNullable<Observation['run']>;
	const up: Partial<Observation> = { state: 'running', run };
	const silentSince = ago(0.1);
	const hangs = { ...up, state: 'unknown', hanging: true, silentSince } as const;
	const { crashes, now, told } = open({ seen: hangs });
	const looks = async (...seen: Partial<Observation>[]) => {
		for (const one of seen) {
			now.seen = one;
			await crashes.look();
		}
	};
	await looks(hangs, up, { ...up, run: null, state: 'stopped' });
	await looks({ ...up, state: 'starting', hanging: true }, { ...up, run: null, state: 'stopped' });
	expect(told).toEqual([]);
	await looks(up, hangs, { ...hangs, state: 'stopping' });
	expect(told).toEqual([]);
	await looks({ ...up, run: { ...run, id: 'run-2' } });
	expect(told).toEqual([`run-1 hung since ${silentSince}`]);
	await looks({ ...up, run: null, state: 'stopped' });
	expect(told).toHaveLength(1);
});

test('its log is the one that it ended in, also after a later run has begun another', async () => {
	const line = (id: string, level: string, hours: number) =>
		({ id, level, at: ago(hours) }) as LogHit;
	const lines = [line('a-1-x', 'ERROR', 1.1), line('a-2-x', 'INFO', 1.05)];
	const { crashes, now, report } = open({ seen: CRASHED, lines });
	await crashes.look();
	now.lines = [line('b-1-x', 'ERROR', 0.5)];
	now.files = [{ name: '2026-01-02-1.log.gz', kind: 'archive', bytes: 1, modifiedAt: ago(0.5) }];
	for (const seen of [CRASHED, { state: 'running' }] as const) {
		now.seen = seen;
		expect((await report()).crash).toMatchObject({ log: '/admin/logs?at=a-1-x#line-a-1-x' });
	}
});

test('a crash that is seen when another run has begun its log has no line in that', async () => {
	const lines = [{ id: 'b-1-x', level: 'ERROR', at: ago(0.5) } as LogHit];
	const { crashes, report } = open({ seen: CRASHED, lines });
	await crashes.look();
	expect((await report()).crash).toMatchObject({ log: '/admin/logs' });
});

test('a mod stays blamed until the server came up well, or its file changed', async () => {
	const sodium = {
		...{ ...mod('sodium-1.jar', 'x'), modId: 'sodium', name: 'Sodium', problems: [] },
		...{ enabled: true, locked: false, size: 5, sha512: 'a' }
	};
	const { attention, crashes, now } = open({ seen: CRASHED, mods: known([sodium]) });
	await crashes.look();
	const blamed = { at: CRASHED.endedAt, message: 'Sodium crashed.' };
	expect(await attention.blamed()).toMatchObject({ ...blamed, mods: [{ name: 'Sodium' }] });
	for (const changed of [{ sha512: 'b' }, { enabled: false }]) {
		now.mods = known([{ ...sodium, ...changed }]);
		expect(await attention.blamed()).toBeNull();
	}
	now.mods = known([sodium]);
	const newer = { fileName: 'sodium-1.jar', updateAvailable: true, latest: { version: '2' } };
	for (const [leftOut, version] of [
		[true, null],
		[false, '2']
	] as const) {
		now.updates = known({ checkedAt: null, mods: [{ ...newer, leftOut }] }) as Known<never>;
		expect((await attention.blamed())?.mods).toMatchObject([{ newer: version }]);
	}
	now.seen = { state: 'starting' };
	await crashes.look();
	expect(await attention.blamed()).toMatchObject(blamed);
	now.seen = { state: 'running', readyAt: ago(0.5) };
	await crashes.look();
	now.seen = { state: 'stopped' };
	expect(await attention.blamed()).toBeNull();
	// Also while the card still tells of it.
	now.seen = { state: 'running', readyAt: ago(0.5) };
	expect((await attention.report('superadmin')).crash).not.toBeNull();
});

test('a crash that kept the server down is over when it has come up as it is', async () => {
	const diagnosis = { ...CRASHED.diagnosis!, restartable: false };
	const { crashes, report, now } = open({ seen: { ...CRASHED, diagnosis } });
	await crashes.look();
	expect((await report()).crash).not.toBeNull();
	now.seen = { state: 'starting' };
	await crashes.look();
	expect((await report()).crash).not.toBeNull();
	now.seen = { state: 'running', readyAt: ago(0.5) };
	await crashes.look();
	expect((await report()).crash).toBeNull();
});

test('a crash with what was tried and taken back leaves the one before, of what is installed again', async () => {
	const sodium = { ...mod('sodium-1.jar', 'x'), modId: 'sodium', name: 'Sodium', problems: [] };
	const installed = { ...sodium, enabled: true, locked: false, size: 5, sha512: 'a' };
	const { crashes, now, report } = open({ seen: CRASHED, mods: known([installed]) });
	await crashes.look();
	now.running = { kind: 'update' };
	now.seen = { ...CRASHED, endedAt: ago(0.5), reason: 'Sodium crashed once more.' };
	await crashes.look();
	now.running = null;
	const change = operation({ startedAt: ago(0.6), finishedAt: ago(0.4) });
	now.operations = known([change]);
	await crashes.look();
	expect((await report()).crash).toMatchObject({
		...{ at: CRASHED.endedAt, lasts: true, message: 'Sodium crashed.' },
		again: {
			at: now.seen.endedAt,
			operationId: change.id,
			kind: 'update',
			subject: 'Lithium 0.13.1'
		},
		mods: [{ name: 'Sodium' }]
	});
	// One that nobody has taken back is of what is installed.
	now.operations = known([{ ...change, state: 'failed' }]);
	await crashes.look();
	expect((await report()).crash).toMatchObject({ at: now.seen.endedAt });
	expect((await report()).crash).not.toHaveProperty('again');
});

test('a crash names mods by their titles, even one that has been removed since', async () => {
	const diagnosis = {
		...CRASHED.diagnosis!,
		mods: ['sodium-1.jar'],
		advice: 'Update sodium-1.jar.'
	};
	const { crashes, now, report } = open({ seen: { ...CRASHED, diagnosis } });
	const told = { fault: 'Sodium', advice: 'Update Sodium.' };
	now.mods = known([{ ...mod('sodium-1.jar', 'x'), name: 'Sodium', problems: [], enabled: true }]);
	await crashes.look();
	expect((await report()).crash).toMatchObject(told);
	now.mods = known([]);
	expect((await report()).crash).toMatchObject({ fault: 'Sodium', mods: [] });
});

describe('a crash of which the mod is dealt with', () => {
	const lithium = {
		...{ ...mod('lithium-1.jar', 'x'), modId: 'lithium', name: 'Lithium', problems: [] },
		...{ enabled: true, locked: false, size: 5, sha512: 'a' }
	};
	const diagnosis = {
		...CRASHED.diagnosis!,
		mods: ['lithium-1.jar'],
		advice: 'Update lithium-1.jar, or disable it where there is no newer version.',
		remedy: 'update' as const
	};
	const crashed = async () => {
		const made = open({ seen: { ...CRASHED, diagnosis }, mods: known([lithium]) });
		await made.crashes.look();
		return made;
	};

	test.each([
		['disabled', [{ ...lithium, enabled: false, fileName: 'lithium-1.jar.disabled' }]],
		['removed', []],
		['replaced', [{ ...lithium, fileName: 'lithium-2.jar', sha512: 'b' }]]
	])('says that it has been %s, and that the start is next', async (what, mods) => {
		const { now, report } = await crashed();
		now.mods = known(mods);
		const mended = `Lithium has been ${what} since.`;
		const told = { mended, fault: 'Lithium', mods: [] };
		expect((await report()).crash).toMatchObject({
			...told,
			advice: `${mended} Start the server.`
		});
		now.seen = { state: 'stopped' };
		expect((await report()).crash?.advice).toBe(`${mended} Start the server.`);
		now.seen = { state: 'starting' };
		expect((await report()).crash).toMatchObject({ ...told, advice: mended });
		now.seen = { state: 'running' };
		expect((await report()).crash).toBeNull();
	});

	test('stays disabled because of it, also once it is updated, until it is enabled again', async () => {
		const { attention, crashes, now } = await crashed();
		const found = (mods: Mod[], seen = now.seen) => {
			Object.assign(now, { mods: known(mods), seen });
			return crashes.look().then(attention.disabledAfterCrash);
		};
		const off = { ...lithium, enabled: false, fileName: 'lithium-1.jar.disabled', version: '1' };
		expect(await found([lithium])).toEqual([]);
		const why = { at: CRASHED.endedAt, href: null, isReport: false };
		const told = { ...why, fileName: off.fileName };
		expect(await found([off])).toEqual([told]);
		expect(await found([off], { state: 'running', readyAt: ago(0.5) })).toEqual([told]);
		// What crashes next names another one.
		const other = { ...CRASHED, endedAt: ago(0.2), reason: 'Another crash.' };
		expect(await found([off], other)).toEqual([told]);
		const newer = { ...off, fileName: 'lithium-2.jar.disabled', sha512: 'b' };
		expect(await found([newer])).toEqual([{ ...why, fileName: newer.fileName }]);
		expect(await found([{ ...newer, enabled: true, fileName: 'lithium-2.jar' }])).toEqual([]);
		expect(await found([newer])).toEqual([]);
	});

	test('that was updated instead is not disabled because of it later', async () => {
		const { attention, crashes, now } = await crashed();
		const newer = { ...lithium, fileName: 'lithium-2.jar', sha512: 'b' };
		for (const enabled of [true, false]) {
			now.mods = known([{ ...newer, enabled }]);
			await crashes.look();
		}
		expect(await attention.disabledAfterCrash()).toEqual([]);
	});

	test('is not said to be while the folder is as it was, whatever was kept of it', async () => {
		const { attention, now, report } = await crashed();
		// As it was while the new jar was tried.
		now.mods = known([{ ...lithium, fileName: 'lithium-2.jar', sha512: 'b' }]);
		for (const here of [[lithium], null]) {
			now.here = here;
			const { crash } = await report();
			expect(crash).not.toHaveProperty('mended');
			expect(crash?.advice).toMatch(/^(?:No newer version of|Update) Lithium/);
		}
		now.here = [lithium];
		expect(await attention.blamed()).toMatchObject({ mods: [{ name: 'Lithium' }] });
	});

	test('is not said to be while its new jar is only tried', async () => {
		const { now, report } = await crashed();
		now.mods = known([{ ...lithium, fileName: 'lithium-2.jar', sha512: 'b' }]);
		now.running = { kind: 'update' };
		const { crash } = await report();
		expect(crash).toMatchObject({
			changing: true,
			advice:
				'What is under way may change this. What can be done about it is shown when that is over.'
		});
		expect(crash).not.toHaveProperty('mended');
		now.running = null;
		expect((await report()).crash).toHaveProperty('mended');
	});

	test('has a title also where only the operation that failed knew it', async () => {
		const { now, report } = open({ seen: { ...CRASHED, diagnosis } });
		const cause = { message: 'x', log: [], mods: [], titles: { 'lithium-1.jar': 'Lithium' } };
		now.operations = known([operation({ cause })]);
		expect((await report()).crash).toMatchObject({
			fault: 'Lithium',
			advice: 'Lithium has been removed since. Start the server.'
		});
	});

	test('is not told to update to what was tried already', async () => {
		const { attention, now, report } = await crashed();
		const newer = { fileName: 'lithium-1.jar', updateAvailable: true, latest: { version: '2' } };
		const failed = (facts: object) =>
			known({ mods: [{ ...newer, failedHere: { certain: false, ...facts } }] }) as never;
		now.updates = failed({});
		const advice = 'Disable Lithium: version 2 did not start here either.';
		const crash = { advice, mods: [{ name: 'Lithium', newer: null }] };
		expect((await report()).crash).toMatchObject(crash);
		expect(await attention.blamed()).toMatchObject(crash);
		now.updates = failed({ ready: true });
		expect((await report()).crash?.advice).toMatch(/version 2 did not stay up here either\.$/);
		now.updates = known({ mods: [newer] }) as never;
		expect((await report()).crash).toMatchObject({
			advice: 'Lithium 2 is out: an update may help.',
			mods: [{ newer: '2' }]
		});
	});

	test('says whether there is a newer version, as far as that is known', async () => {
		const { now, report } = await crashed();
		const advice = async () => (await report()).crash?.advice;
		expect(await advice()).toBe(
			'No newer version of Lithium is known: disable it until there is one.'
		);
		now.updates = { value: null, problem: 'The registry does not answer.' };
		expect(await advice()).toBe(
			'Disable Lithium: whether a newer version is out is not known now.'
		);
	});
});

describe('a crash of a mod whose older version had crashed too', () => {
	const lithium = (version: string) => ({
		...{ ...mod(`lithium-${version}.jar`, 'x'), modId: 'lithium', name: 'Lithium', problems: [] },
		...{ enabled: true, locked: false, size: 5, sha512: version, version }
	});
	const crash = (named: string, hours: number): Partial<Observation> => ({
		...{ state: 'crashed', endedAt: ago(hours), reason: 'It crashed.' },
		diagnosis: { ...CRASHED.diagnosis!, mods: [named], advice: 'Update it.', remedy: 'update' }
	});
	/** Both crashes, and the update between them. */
	async function twice(first: Partial<Observation>, second: Partial<Observation>, version = '2') {
		const made = open({ seen: first, mods: known([lithium('1')]) });
		await made.crashes.look();
		made.now.mods = known([lithium(version)]);
		made.now.seen = { state: 'running', readyAt: ago(0.2) };
		await made.crashes.look();
		made.now.seen = second;
		await made.crashes.look();
		return made;
	}
	const advice = 'Disable Lithium. It crashed with 1 too.';

	test.each(['lithium', 'lithium-1.jar'])('is not told to go back to it (%s)', async (named) => {
		const second = named === 'lithium' ? named : 'lithium-2.jar';
		const { attention, now, crashes, report } = await twice(crash(named, 0.3), crash(second, 0.1));
		const told = { advice, mods: [{ name: 'Lithium', crashedWith: '1' }] };
		expect((await report()).crash).toMatchObject(told);
		expect(await attention.blamed()).toMatchObject(told);
		expect(await attention.blame([second], ago(0.1))).toMatchObject({ mods: told.mods });
		// And once more with the same version.
		now.seen = crash(second, 0.05);
		await crashes.look();
		expect((await report()).crash).toMatchObject(told);
		now.mods = known([lithium('1')]);
		for (const one of (await report()).crash!.mods) expect(one).not.toHaveProperty('crashedWith');
	});

	test('is told so before the second crash has been recorded', async () => {
		const { now, crashes, report } = await twice(crash('lithium-1.jar', 0.3), {
			...{ state: 'running', readyAt: ago(0.2) }
		});
		now.seen = crash('lithium-2.jar', 0.1);
		const atOnce = (await report()).crash;
		expect(atOnce).toMatchObject({ advice, mods: [{ name: 'Lithium', crashedWith: '1' }] });
		await crashes.look();
		expect((await report()).crash).toEqual(atOnce);
	});

	test.each([
		['long ago', crash('lithium', 8 * 24), '2'],
		['by another mod', crash('sodium', 0.3), '2'],
		['with the same version', crash('lithium', 0.3), '1']
	])('is a first one where the other was %s', async (_, first, version) => {
		const { report } = await twice(first, crash('lithium', 0.1), version);
		expect((await report()).crash).toMatchObject({
			advice: 'No newer version of Lithium is known: disable it until there is one.'
		});
	});
});

test('a crash during an operation that repairs it is not shown', async () => {
	const { crashes, now, report } = open({ seen: CRASHED, running: { kind: 'update' } });
	await crashes.look();
	now.seen = { state: 'running' };
	expect((await report()).crash).toBeNull();
	// Its rollback failed too: then it is.
	Object.assign(now, { seen: CRASHED, running: null });
	await crashes.look();
	now.seen = { state: 'running' };
	expect((await report()).crash).not.toBeNull();
});

test('what led to a crash is asked for again while it is on its way, and not where it cannot be had', async () => {
	const { now, report } = open({ seen: CRASHED });
	expect((await report()).pending).toBe(false);
	now.lastChange = { value: null, problem: null };
	expect((await report()).pending).toBe(true);
	now.lastChange = { value: null, problem: 'The disk does not answer.' };
	expect((await report()).pending).toBe(false);
	Object.assign(now, { seen: {}, lastChange: { value: null, problem: null } });
	expect((await report()).pending).toBe(false);
});

test('a crash is recorded though a change begins while it is looked into', async () => {
	const { attention, crashes, now } = open({ seen: { ...CRASHED, endedRun: 'run-1' } });
	const looked = crashes.look();
	await Promise.resolve();
	now.running = { kind: 'update' };
	await looked;
	Object.assign(now, { seen: { state: 'stopped' }, running: null });
	expect((await attention.report('superadmin')).crash).not.toBeNull();
});

test('a warning is shown when the runtime leaves too little time, or would undo changes', async () => {
	const { now, report } = open();
	const codes = async () => (await report()).items.map(({ code }) => code);
	now.engine = { graceMs: 300_000, undoneBy: [] };
	expect(await codes()).toEqual([]);
	now.engine = { graceMs: 90_000, undoneBy: ['MODS', 'OPS'] };
	expect((await report()).items).toMatchObject([
		{ code: 'grace-short', detail: expect.stringContaining('90 seconds') },
		{ code: 'changes-undone', detail: expect.stringContaining('MODS, OPS') }
	]);
});

test('a world that the game must not open is shown, with who may open it anyway', async () => {
	const { attention } = open({ worldRefusal: 'The world is newer.' });
	expect((await attention.report('admin')).items).toMatchObject([
		{
			code: 'world',
			detail: 'The world is newer.',
			advice: expect.stringContaining('A superadmin can')
		}
	]);
});

test('an unreachable channel is shown to superadmins, who can fix it', async () => {
	const discord = {
		name: 'Discord',
		problem: 'The address is not there any more (404).',
		since: null
	};
	const phone = { name: 'Phone', problem: 'It did not answer.', since: ago(3) };
	const { attention, report } = open({ broken: [phone] });
	expect((await report()).items).toMatchObject([
		{
			...{ code: 'channel-broken', title: 'Phone is not told what happens', since: phone.since },
			...{ detail: 'It did not answer.', action: { href: '/admin/notifications' } }
		}
	]);
	expect((await attention.report('admin')).items).toEqual([]);
	const [both] = (await open({ broken: [discord, phone] }).report()).items;
	expect(both).toMatchObject({
		title: '2 channels are not told what happens',
		detail: 'Discord: The address is not there any more (404). Phone: It did not answer.'
	});
});

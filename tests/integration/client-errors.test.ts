import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
	ADMIN,
	eventually,
	signedIn,
	startDashboard,
	Visitor,
	type Dashboard
} from '../harness.ts';
import { ask } from './kit/program.ts';

let dashboard: Dashboard;
beforeAll(async () => {
	dashboard = await startDashboard();
});
afterAll(() => dashboard?.dispose());

const file = () => path.join(dashboard.dataDir, '../logs/client-errors.jsonl');
const kept = async () =>
	(await readFile(file(), 'utf8').catch(() => '')).split('\n').filter(Boolean);
const send = async (body: string, headers: Record<string, string | null> = {}) => {
	const sent = { origin: dashboard.url, 'content-type': 'application/json', ...headers };
	const all = Object.fromEntries(
		Object.entries(sent).filter((one): one is [string, string] => one[1] !== null)
	);
	return (await ask(dashboard.url, '/api/errors', { method: 'POST', headers: all, body })).status;
};
const REPORT = JSON.stringify({ message: 'It broke', stack: 'at x\nat y', url: '/login' });

test('whatever a browser sends is answered 204, and only real reports are kept', async () => {
	for (const body of [
		'',
		'{',
		'[]',
		'null',
		'{"message":7}',
		'{"__proto__":{"message":"x"}}',
		`${'['.repeat(15_000)}`,
		JSON.stringify({ message: 'x'.repeat(1_000_000) })
	])
		expect(await send(body), body.slice(0, 30)).toBe(204);
	expect(await kept()).toEqual([]);
	expect(await send(REPORT, { 'user-agent': 'A browser', 'content-type': 'text/plain' })).toBe(204);
	// Too soon after the previous one: dropped silently.
	expect(await Promise.all([1, 2, 3].map(() => send(REPORT)))).toEqual([204, 204, 204]);
	const [line, ...rest] = await kept();
	expect(rest).toEqual([]);
	expect(JSON.parse(line!)).toMatchObject({
		message: 'It broke',
		url: '/login',
		userAgent: 'A browser',
		address: '127.0.0.1',
		account: null
	});
});

test('another origin is answered 204 as well, but its report is not kept', async () => {
	const before = await kept();
	const told = JSON.stringify({ message: 'From elsewhere' });
	for (const origin of ['http://elsewhere.test', 'null', '', `${dashboard.url}.test`])
		for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded'])
			expect(await send(told, { origin, 'content-type': type }), origin).toBe(204);
	expect(await kept()).toEqual(before);
	const program = JSON.stringify({ message: 'From a program' });
	const found = await eventually(
		async () => {
			expect(await send(program, { origin: null })).toBe(204);
			return (await kept()).join('\n');
		},
		(text) => text.includes('From a program')
	);
	expect(found).not.toContain('From elsewhere');
});

test('only superadmins read', async () => {
	expect((await new Visitor(dashboard).json('/api/errors')).status).toBe(401);
	expect((await (await signedIn(dashboard, ADMIN)).json('/api/errors')).status).toBe(403);
	const { status, body } = await (await signedIn(dashboard)).json('/api/errors?limit=1');
	expect(status).toBe(200);
	expect(body).toMatchObject({ errors: [{ message: 'From a program' }], truncated: true });
	expect((await (await signedIn(dashboard)).json('/api/errors?limit=9999')).status).toBe(422);
});

test('a report that cannot be written is still answered 204', async () => {
	await rm(file(), { force: true });
	await mkdir(file());
	const logs = path.join(dashboard.gameDir, 'logs');
	await rm(logs, { recursive: true, force: true });
	await writeFile(logs, 'in the way');
	await chmod(logs, 0o400);
	const other = JSON.stringify({ message: 'Another one' });
	const warned = () => readFile(path.join(dashboard.dataDir, '../logs/craftwarden.log'), 'utf8');
	await eventually(
		async () => {
			expect(await send(other)).toBe(204);
			return warned();
		},
		(log) => log.includes('Error reports of browsers cannot be written')
	);
	expect((await new Visitor(dashboard).fetch('/healthz')).status).toBe(200);
});

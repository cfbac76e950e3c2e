import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
	ADMIN,
	eventually,
	signedIn,
	startDashboard,
	type Dashboard,
	type Visitor
} from '../harness.ts';
import { dashboardWith } from './kit/opened.ts';
import { bareSocket, largeOperation, memoryOf, socketsOf } from './kit/program.ts';

describe.concurrent('misbehaving clients', () => {
	let dashboard: Dashboard;
	let bob: Visitor;
	beforeAll(async () => {
		dashboard = await startDashboard();
		bob = await signedIn(dashboard, ADMIN);
	});
	afterAll(() => dashboard?.dispose());
	const head = () =>
		`Host: ${new URL(dashboard.url).host}\r\nOrigin: ${dashboard.url}\r\nCookie: ${bob.cookie}\r\n`;

	test('slow, silent, garbled and idle connections are dropped; others are served meanwhile', async () => {
		const own = await dashboardWith();
		const line = `GET /api/status HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
		const base = await socketsOf(own.pid);
		const slow = await many(60, own.url, `${line}X-Slow: `);
		const silent = await many(5, own.url);
		let told = '';
		for (const socket of silent) socket.on('data', (bytes) => (told += bytes));
		const others = [
			...silent,
			...(await many(5, own.url, '\u0016\u0003\u0001 what is this\r\n\r\n')),
			...(await many(5, own.url, `${line}X-Large: ${'x'.repeat(20_000)}\r\n\r\n`)),
			...(await many(5, own.url, `${line}\r\n`)), // answered, then idle
			...(await many(
				5,
				own.url,
				`POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: ${own.url}\r\n` +
					'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\na'
			))
		];
		const drip = setInterval(() => {
			for (const socket of slow) if (socket.writable) socket.write('x');
		}, 300);
		try {
			await eventually(
				() => socketsOf(own.pid),
				(count) => count >= base + 60
			);
			let answered = 0;
			await eventually(
				async () => {
					const response = await fetch(`${own.url}/api/status`, {
						headers: { connection: 'close' }
					});
					await response.arrayBuffer();
					if (response.status === 200) answered++;
					return { left: await socketsOf(own.pid), status: response.status };
				},
				({ left, status }) => status === 200 && left <= base + 1,
				40_000
			);
			expect(answered).toBeGreaterThan(20);
			expect(told).toBe(''); // a browser would take it for the answer to its next question
		} finally {
			clearInterval(drip);
			for (const socket of [...slow, ...others]) socket.destroy();
		}
	}, 60_000);

	test('a pile of requests on one connection does not pile up answers in memory', async () => {
		const own = await dashboardWith();
		const script = await largestScript(own.url);
		const before = await memoryOf(own.pid);
		const get = `GET ${script} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
		const answers = await Promise.all(
			Array.from({ length: 30 }, async () => {
				const socket = await bareSocket(own.url);
				let text = '';
				socket.setEncoding('latin1').on('data', (chunk) => (text += chunk));
				const over = new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
				socket.write(get.repeat(300));
				await over;
				socket.destroy();
				return text.split('HTTP/1.1 200').length - 1;
			})
		);
		expect(Math.max(...answers)).toBeLessThanOrEqual(10);
		expect((await memoryOf(own.pid)) - before).toBeLessThan(150);
		expect((await fetch(`${own.url}/api/status`)).status).toBe(200);
	});

	test('readers that never read their answer are disconnected', async () => {
		const own = await dashboardWith();
		const id = await largeOperation(own.dataDir);
		const visitor = await signedIn(own, ADMIN);
		const open = () => socketsOf(own.pid, own.url);
		// The client that could not log in closes by itself.
		await eventually(open, (count) => count === 0);
		const get = `GET /api/operations/${id} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${visitor.cookie}\r\n\r\n`;
		const sockets = await Promise.all([0, 1, 2].map(() => bareSocket(own.url)));
		for (const socket of sockets) socket.pause().write(get);
		await eventually(open, (count) => count === 3);
		await eventually(open, (count) => count === 0, 40_000);
		expect((await visitor.json('/api/operations?limit=1')).status).toBe(200);
		for (const socket of sockets) socket.destroy();
	}, 60_000);

	test('a body of ten megabytes is refused or cut, and is not kept', async () => {
		const own = await dashboardWith();
		const visitor = await signedIn(own, ADMIN);
		const before = await memoryOf(own.pid);
		for (let round = 0; round < 3; round++) {
			const answers = await Promise.all(Array.from({ length: 8 }, () => send(own, visitor, 10)));
			for (const answer of answers) expect(answer).toMatch(/^(HTTP\/1\.1 413|$)/);
		}
		// Of 240 MB; what passes through is garbage for a while.
		expect((await memoryOf(own.pid)) - before).toBeLessThan(120);
		expect((await visitor.json('/api/operations')).body.operations).toEqual([]);
	}, 40_000);

	test('a body is not unpacked, and one that is shorter than it claims is not a request', async () => {
		const gzip = await fetch(`${dashboard.url}/api/server/start`, {
			method: 'POST',
			headers: {
				cookie: bob.cookie,
				origin: dashboard.url,
				'content-type': 'application/json',
				'content-encoding': 'gzip'
			},
			body: Buffer.from('H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA==', 'base64')
		});
		expect([400, 415]).toContain(gzip.status);
		const short = await bareSocket(
			dashboard.url,
			`POST /api/server/start HTTP/1.1\r\n${head()}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{}`
		);
		short.end();
		await once(short.resume(), 'close');
		expect((await bob.json('/api/operations')).body.operations).toEqual([]);
	});
});

const many = (count: number, url: string, first = '') =>
	Promise.all(Array.from({ length: count }, () => bareSocket(url, first)));

/** Sends a chunked body of that many megabytes as fast as it is taken; what came back until the end. */
async function send(to: Dashboard, visitor: Visitor, megabytes: number): Promise<string> {
	const socket = await bareSocket(
		to.url,
		`POST /api/server/start HTTP/1.1\r\nHost: ${new URL(to.url).host}\r\nOrigin: ${to.url}\r\n` +
			`Cookie: ${visitor.cookie}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
	);
	let answer = '';
	socket.setEncoding('latin1').on('data', (text) => (answer += text));
	const closed = new Promise((resolve) => socket.once('close', resolve));
	const chunk = `${(65_536).toString(16)}\r\n${' '.repeat(65_536)}\r\n`;
	for (let sent = 0; sent < megabytes * 16 && !socket.destroyed && socket.writable; sent++)
		if (!socket.write(chunk)) {
			const drained = new Promise((resolve) => socket.once('drain', resolve));
			await Promise.race([drained, closed]);
		}
	socket.end('0\r\n\r\n');
	await closed;
	return answer;
}

async function largestScript(url: string): Promise<string> {
	const page = await (await fetch(`${url}/login`)).text();
	const found = [...page.matchAll(/"([^"]+\.js)"/g)].map(([, name]) => name!.replace(/^\./, ''));
	const sizes = await Promise.all(
		found.map(async (name) => ({
			name,
			size: (await (await fetch(url + name)).arrayBuffer()).byteLength
		}))
	);
	return sizes.sort((a, b) => b.size - a.size)[0]!.name;
}

import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eventually, signedIn, Visitor } from '../../harness.ts';
import { power } from '../kit/actions.ts';
import { dashboardWith, home, opened } from '../kit/opened.ts';

const TOKEN = 'scrape-me-0123456789abcdef';

test('/metrics exists for a token alone, and a session never opens it', async () => {
	const none = await dashboardWith();
	for (const visitor of [new Visitor(none), await signedIn(none)])
		expect((await visitor.fetch('/metrics')).status).toBe(404);

	const dashboard = await dashboardWith({ METRICS_TOKEN: TOKEN });
	const stranger = new Visitor(dashboard);
	const ada = await signedIn(dashboard);
	const scrape = (visitor: Visitor, authorization?: string) =>
		visitor.fetch('/metrics', authorization ? { headers: { authorization } } : {});
	for (const visitor of [stranger, ada]) {
		expect((await scrape(visitor)).status).toBe(401);
		expect((await scrape(visitor, 'Bearer wrong')).status).toBe(401);
	}
	const response = await scrape(stranger, `Bearer ${TOKEN}`);
	expect(response.status).toBe(200);
	expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
	expect(await response.text()).toContain('craftwarden_info{version="');
	await power(ada, 'start');
	await eventually(
		async () => (await scrape(stranger, `Bearer ${TOKEN}`)).text(),
		(text) => text.includes('craftwarden_server_memory_bytes ') && /minecraft_tps /.test(text),
		20_000
	);
	expect(await (await ada.fetch('/admin/settings')).text()).not.toContain(TOKEN);
}, 60_000);

/** Counts who connects, and says nothing. */
async function counter() {
	let connections = 0;
	const server = createServer((socket) => {
		connections++;
		socket.on('error', () => {}).resume();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	opened.push(async () => void server.close());
	return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

test('however often it is scraped, the game is not queried: neither by ping nor by RCON', async () => {
	const [game, rcon] = [await counter(), await counter()];
	const serverDir = path.join(await home(), 'server');
	await mkdir(serverDir);
	const lines = [`server-port=${game.port}`, 'enable-rcon=true', `rcon.port=${rcon.port}`];
	await writeFile(
		path.join(serverDir, 'server.properties'),
		[...lines, 'rcon.password=secret'].join('\n')
	);
	const dashboard = await dashboardWith({ METRICS_TOKEN: TOKEN, SERVER_DIR: serverDir });
	const scraper = new Visitor(dashboard);
	const before = game.connections() + rcon.connections();
	for (let i = 0; i < 300; i++) {
		const headers = { authorization: `Bearer ${TOKEN}` };
		expect((await scraper.fetch('/metrics', { headers })).status).toBe(200);
	}
	// What looks by itself may look meanwhile.
	expect(game.connections() + rcon.connections() - before).toBeLessThan(5);
}, 60_000);

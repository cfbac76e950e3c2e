import { createServer, request, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, ready, signIn, test, withoutWorker } from '../fixtures.ts';
import { ADMIN_PAGES, addressOf, furnish } from '../pages.ts';
import { movedOn, watchShifts } from './shifts.ts';

const PIECES = 8;
/** So small that also the server's buttons, on top of the overview, come one after another. */
const BYTES_OF_OVERVIEW = 400;
/** Long enough for the browser to draw what has come. */
const APART_MS = 50;

/** Passes on what the dashboard answers, each page in pieces, as a slow network or a busy machine has it. */
async function inPieces(target: string): Promise<Server> {
	const { hostname, port, host, origin } = new URL(target);
	const server = createServer((asked, answer) => {
		const headers = { ...asked.headers, host, 'accept-encoding': 'identity' };
		if (asked.headers.origin) headers.origin = origin;
		const options = { hostname, port, path: asked.url, method: asked.method, headers };
		const passed = request(options, (given) => {
			answer.writeHead(given.statusCode!, given.headers);
			if (!given.headers['content-type']?.startsWith('text/html')) return void given.pipe(answer);
			void given.toArray().then(async (chunks: Buffer[]) => {
				const html = Buffer.concat(chunks);
				const isOverview = asked.url === '/admin';
				const size = isOverview ? BYTES_OF_OVERVIEW : Math.ceil(html.length / PIECES);
				for (let at = 0; at < html.length; at += size) {
					answer.write(html.subarray(at, at + size));
					await new Promise((resolve) => setTimeout(resolve, APART_MS));
				}
				answer.end();
			});
		});
		passed.on('error', () => answer.destroy());
		answer.on('close', () => passed.destroy());
		asked.pipe(passed);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return server;
}

for (const [width, height] of [
	[390, 844],
	[1280, 720]
] as const)
	test(`at ${width} px a page that comes in pieces does not move`, async ({ page, dashboard }) => {
		test.setTimeout(300_000);
		await page.setViewportSize({ width, height });
		await withoutWorker(page);
		const facts = await furnish(dashboard);
		await signIn(page);
		await watchShifts(page);
		const server = await inPieces(dashboard.url);
		const { port } = server.address() as AddressInfo;
		const moved: string[] = [];
		try {
			for (const target of ADMIN_PAGES) {
				await page.goto(`http://127.0.0.1:${port}${addressOf(target, facts)}`);
				await ready(page);
				const { sum, what } = await movedOn(page);
				if (sum > 0.01) moved.push(`${target}: ${what}`);
			}
		} finally {
			server.closeAllConnections();
			server.close();
		}
		expect(moved).toEqual([]);
	});

import { expect, test } from 'vitest';
import { eventually, signedIn, Visitor } from '../../harness.ts';
import { power } from '../kit/actions.ts';
import { dashboardWith } from '../kit/opened.ts';

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

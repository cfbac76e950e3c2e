import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createDemoRegistry, demoHoldMs } from './demo.ts';

async function statusOf(url: URL) {
	const headers = { 'user-agent': 'craftwarden/test' };
	const request = http.get(`${url.href}/project/lithium`, { headers, agent: false });
	const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
	answer.resume();
	return answer.statusCode;
}

test('the registry of the demo is one process that ends with us', async () => {
	const registry = createDemoRegistry(process.cwd());
	onTestFinished(() => registry.close());
	const [url, same] = await Promise.all([registry.url(), registry.url()]);
	expect(url.hostname).toBe('127.0.0.1');
	expect(same.href).toBe(url.href);
	expect(await statusOf(url)).toBe(200);
	await registry.close();
	await expect(statusOf(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
	await expect(registry.url()).rejects.toMatchObject({ kind: 'upstream' });
});

test('when it has exited for lack of work, or died, it is started at the next request', async () => {
	const registry = createDemoRegistry(process.cwd(), 400);
	onTestFinished(() => registry.close());
	const url = await registry.url();
	const isGone = () =>
		statusOf(url).then(
			() => false,
			() => true
		);
	await expect.poll(async () => statusOf(await registry.url()), { timeout: 10_000 }).toBe(200);
	await expect.poll(isGone, { timeout: 10_000, interval: 600 }).toBe(true);
	await expect.poll(async () => statusOf(await registry.url()), { timeout: 10_000 }).toBe(200);
});

test('without a program to start it says so, and can be closed', async () => {
	const empty = await mkdtemp(path.join(tmpdir(), 'no-project-'));
	onTestFinished(() => rm(empty, { recursive: true }));
	const registry = createDemoRegistry(empty);
	await expect(registry.url()).rejects.toMatchObject({ code: 'demo-registry' });
	await registry.close();
});

test('closing before it was ever needed starts nothing', async () => {
	await createDemoRegistry(process.cwd()).close();
});

test('a demo that is faster watches for a shorter time, and says so', () => {
	expect(demoHoldMs(1)).toEqual({ server: 5000, copy: 5000 });
	expect(demoHoldMs(5)).toEqual({ server: 1000, copy: 1000 });
});

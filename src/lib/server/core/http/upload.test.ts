import type { RequestEvent } from '@sveltejs/kit';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { jsonOrFile } from '../../../api/define.ts';
import { handle } from './endpoints.ts';
import { incomingFile } from './upload.ts';

const request = (form: FormData) => new Request('http://x/', { method: 'POST', body: form });
const withFile = (bytes: number, field = 'jar', name = 'a.jar') => {
	const form = new FormData();
	form.set('note', 'before');
	form.set(field, new File([new Uint8Array(bytes).fill(7)], name));
	return form;
};
async function read(bytes: AsyncIterable<Uint8Array>) {
	let size = 0;
	for await (const chunk of bytes) size += chunk.length;
	return size;
}

test('the file of the form arrives whole, with its name', async () => {
	const file = await incomingFile(request(withFile(300_000)), 'jar', 1_000_000);
	expect(file.name).toBe('a.jar');
	expect(await read(file.bytes)).toBe(300_000);
});

test('one byte too many is rejected, whatever length was announced', async () => {
	const exact = await incomingFile(request(withFile(1000)), 'jar', 1000);
	const over = await incomingFile(request(withFile(1001)), 'jar', 1000);
	expect(await read(exact.bytes)).toBe(1000);
	await expect(read(over.bytes)).rejects.toMatchObject({ kind: 'too-large' });
});

test('a form without the file says that one must be chosen', async () => {
	const empty = new FormData();
	empty.set('note', 'x');
	for (const form of [empty, withFile(10, 'other'), withFile(0, 'jar', '')])
		await expect(incomingFile(request(form), 'jar', 1000)).rejects.toMatchObject({
			kind: 'invalid',
			issues: [{ path: 'jar' }]
		});
});

test('a body that is not a form, or breaks off, is rejected', async () => {
	const json = new Request('http://x/', { method: 'POST', body: '{}' });
	await expect(incomingFile(json, 'jar', 10)).rejects.toMatchObject({ kind: 'unsupported-media' });
	const headers = { 'content-type': 'multipart/form-data' };
	const bare = new Request('http://x/', { method: 'POST', body: 'x', headers });
	await expect(incomingFile(bare, 'jar', 10)).rejects.toMatchObject({ kind: 'malformed' });
	const cut = new Request('http://x/', {
		method: 'POST',
		headers: { 'content-type': 'multipart/form-data; boundary=b' },
		body: '--b\r\nContent-Disposition: form-data; name="jar"; filename="a.jar"\r\n\r\nhalf'
	});
	const reading = incomingFile(cut, 'jar', 100).then(({ bytes }) => read(bytes));
	await expect(reading).rejects.toThrow();
});

test('a dropped connection ends the reader', async () => {
	const whole = request(withFile(200_000));
	const bytes = new Uint8Array(await whole.arrayBuffer()).slice(0, 100_000);
	const body = new ReadableStream({
		start(controller) {
			controller.enqueue(bytes);
			setTimeout(() => controller.error(new Error('gone')), 5);
		}
	});
	const type = whole.headers.get('content-type') ?? '';
	const dying = new Request('http://x/', {
		method: 'POST',
		body,
		headers: { 'content-type': type },
		duplex: 'half'
	} as RequestInit);
	const file = await incomingFile(dying, 'jar', 1_000_000);
	await expect(read(file.bytes)).rejects.toThrow();
});

test('the other fields are known when the file has been read, wherever they are', async () => {
	const form = withFile(200_000);
	form.set('after', 'later');
	const file = await incomingFile(request(form), 'jar', 1_000_000);
	await read(file.bytes);
	expect(await file.fields()).toEqual({ note: 'before', after: 'later' });
});

test('an endpoint that takes either gets the fields parsed, or the body', async () => {
	const entry = jsonOrFile({
		...{ role: 'public', summary: '', file: 'jar', maxBytes: 1000 },
		body: z.strictObject({ note: z.string() }),
		fields: z.object({ note: z.literal('before') }),
		answers: { 200: z.object({ told: z.string() }) }
	});
	const handler = handle(entry, async ({ body, file, fields }) => {
		if (!file) return { told: `body ${body?.note}` };
		await read(file.bytes);
		return { told: `file ${(await fields()).note}` };
	});
	const ask = async (init: Request) => {
		const locals = { authorise() {}, app: {}, refusal: null };
		const event = { request: init, url: new URL(init.url), params: {}, locals };
		return (await handler(event as unknown as RequestEvent)).json();
	};
	const json = { method: 'POST', body: '{"note":"x"}' };
	const headers = { 'content-type': 'application/json' };
	expect(await ask(new Request('http://x/', { ...json, headers }))).toEqual({ told: 'body x' });
	expect(await ask(request(withFile(10)))).toEqual({ told: 'file before' });
	const wrong = withFile(10);
	wrong.set('note', 'other');
	expect(await ask(request(wrong))).toMatchObject({ status: 422, issues: [{ path: 'note' }] });
});

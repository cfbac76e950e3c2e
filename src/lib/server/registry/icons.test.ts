import { expect, test } from 'vitest';
import { drive, failureOf, setupRegistry } from '../../../../tests/fakes/mods/registry-setup.ts';
import type { Fault } from '../../../../scripts/demo-registry/registry.ts';

async function setup() {
	const home = await setupRegistry();
	const { id } = home.fake.addProject({ slug: 'mod' });
	const icons = () => home.fake.requests.filter(({ path }) => path.endsWith('.png')).length;
	return { ...home, id, icons };
}
const body = (bytes: Buffer | string): Fault => ({
	answer: { headers: { 'content-type': 'image/png' }, body: bytes }
});
const withMagic = (magic: string, bytes = 100) =>
	Buffer.concat([Buffer.from(magic, 'latin1'), Buffer.alloc(bytes)]);

test('an icon comes by its project and is fetched once, even for a hundred simultaneous requests', async () => {
	const { registry, id, icons, fake } = await setup();
	const all = await Promise.all(Array.from({ length: 100 }, () => registry.icon(id)));
	expect(all.every((icon) => icon?.type === 'image/png')).toBe(true);
	expect(Buffer.from(all[0]!.bytes).toString('latin1', 1, 4)).toBe('PNG');
	await registry.icon(id);
	expect(icons()).toBe(1);
	expect(fake.requests).toHaveLength(2);
});

test('after a search its icons need no further lookup', async () => {
	const { registry, id, fake } = await setup();
	const input = { q: '', offset: 0, limit: 20, sort: 'newest', loaders: [], gameVersion: null };
	await registry.search(input);
	await registry.icon(id);
	expect(fake.requests.map(({ path }) => path)).toEqual(['/v2/search', `/data/${id}/icon.png`]);
});

test.each([
	['image/webp', withMagic('RIFF\x10\0\0\0WEBPVP8 ')],
	['image/jpeg', withMagic('\xff\xd8\xff\xe0')],
	['image/png', withMagic('\x89PNG\r\n\x1a\n')]
])('%s is recognised by its first bytes, whatever it is called', async (type, bytes) => {
	const { fake, registry, id } = await setup();
	fake.misbehave([{ ...body(bytes), on: /icon/ }]);
	expect((await registry.icon(id))?.type).toBe(type);
});

test.each([
	['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
	['an SVG behind a declaration', '<?xml version="1.0"?><svg/>'],
	['a page', '<!doctype html>'],
	['a GIF', 'GIF89a'],
	['sound in a RIFF', withMagic('RIFF\x10\0\0\0WAVEfmt ')],
	['nothing', '']
])('%s is not shown', async (_, bytes) => {
	const { fake, registry, id } = await setup();
	fake.misbehave([{ ...body(bytes), on: /icon/, times: Infinity }]);
	expect(await registry.icon(id)).toBeNull();
});

test('one of more than 512 kB is rejected, with or without a length', async () => {
	const { fake, registry, id } = await setup();
	const bytes = () => withMagic('\x89PNG\r\n\x1a\n', 600 << 10);
	for (const chunked of [true, false]) {
		fake.misbehave([{ bytes, chunked, on: /icon/ }]);
		expect(await failureOf(registry.icon(id))).toMatchObject({ kind: 'upstream' });
	}
});

test.each([
	[null, null],
	['', null],
	['https://tracker.example/pixel.png', 'address-refused'],
	['http://169.254.169.254/icon.png', 'address-refused'],
	['javascript:alert(1)', 'address-refused'],
	['not an address', null]
])('an icon at %j is not fetched', async (icon, code) => {
	const { fake, registry } = await setupRegistry();
	const { id } = fake.addProject({ slug: 'mod', icon });
	if (code) expect(await failureOf(registry.icon(id))).toMatchObject({ code });
	else expect(await registry.icon(id)).toBeNull();
	expect(fake.requests).toHaveLength(1);
});

test('without a project there is no icon; a silent host is given up on', async () => {
	const { fake, clock, registry, id } = await setup();
	expect(await registry.icon('unknown')).toBeNull();
	expect(await registry.icon('../x')).toBeNull();
	expect(await registry.icon('..')).toBeNull();
	fake.misbehave([{ stall: 'at-once', on: /icon/ }]);
	expect(await failureOf(drive(clock, registry.icon(id), 1000))).toMatchObject({ kind: 'timeout' });
});

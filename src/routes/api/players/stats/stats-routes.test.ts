import { expect, test } from 'vitest';
import { GET as playtime } from '../playtime/+server';
import { GET as stats } from './+server';

const answer = async (get: typeof stats, service: object) =>
	get({
		url: new URL('http://localhost/'),
		request: new Request('http://localhost/'),
		locals: { app: { stats: service }, authorise: () => {} }
	} as never);
const crowd = (count: number) =>
	Array.from({ length: count }, (_, i) => ({ uuid: `u${i}`, name: '"<§\u202e', playtime: i / 20 }));

test.each([0, 1, 500, 501, 1_700])(
	'the statistics of %i players are one JSON document',
	async (count) => {
		const list = { players: crowd(count), generatedAt: '2026-01-02T03:04:05.000Z' };
		const response = await answer(stats, { list: async () => list });
		expect(response.headers.get('content-type')).toBe('application/json');
		expect(response.headers.get('cache-control')).toMatch(/^no-store/);
		expect(await response.json()).toEqual(list);
	}
);

test('a long list is sent in chunks that are not collected for compression', async () => {
	const players = crowd(1_700);
	const response = await answer(playtime as typeof stats, { playtime: async () => ({ players }) });
	expect(response.headers.get('cache-control')).toContain('no-transform');
	let pieces = 0;
	for await (const piece of response.clone().body!) if (piece.length > 0) pieces++;
	expect(pieces).toBeGreaterThan(3);
	expect(await response.json()).toEqual({ players });
});

test('the text of the same list is made once, and only what is beside it is new', async () => {
	let read = 0;
	const players = crowd(450).map((one) => ({ ...one, toJSON: () => (read++, one) }));
	const ask = async (generatedAt: string) =>
		(await answer(stats, { list: async () => ({ players, generatedAt }) })).json();
	expect(await ask('2026-01-02T03:04:05.000Z')).toEqual({
		players: crowd(450),
		generatedAt: '2026-01-02T03:04:05.000Z'
	});
	expect(await ask('2026-01-02T03:05:05.000Z')).toEqual({
		players: crowd(450),
		generatedAt: '2026-01-02T03:05:05.000Z'
	});
	expect(read).toBe(450);
});

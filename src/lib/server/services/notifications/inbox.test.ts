import { expect, test } from 'vitest';
import { createInbox } from './inbox.ts';

test('a message that was held back stands where what it tells of happened', async () => {
	let kept = { entries: [] as never[] };
	const file = {
		read: async () => kept,
		update: async (change: (old: typeof kept) => typeof kept) => (kept = change(kept))
	};
	const inbox = createInbox(file as unknown as Parameters<typeof createInbox>[0]);
	const send = (title: string, minute: string) =>
		inbox.add(
			{ at: `2026-01-02T03:${minute}:00.000Z`, title, text: '', url: null } as never,
			'Demo'
		);
	await send('The server crashed', '04');
	await send('The server crashed again', '09');
	await send('The server is back', '05');
	expect((await inbox.list()).map(({ title }) => title)).toEqual([
		...['The server crashed again', 'The server is back', 'The server crashed']
	]);
});

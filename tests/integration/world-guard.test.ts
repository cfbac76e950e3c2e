import { expect, test } from 'vitest';
import { levelDat } from '../fakes/mods/jars.ts';
import { ADMIN, signedIn } from '../harness.ts';
import { ended, power, reaches } from './kit/actions.ts';
import { open, pageText } from './kit/servers-kit.ts';

/** Of 1.21.5; the folder's game is 1.21.1. */
const NEWER = levelDat('1.21.5', 4325);
const WORDS = 'The world was last saved by Minecraft 1.21.5';

test('a newer world is opened only by a start of a superadmin who confirms it, and everybody is told', async () => {
	const setup = await open('fabric', {
		behaviour: { readyAfterMs: 50 },
		prepare: (folder) => folder.write('world/level.dat', NEWER)
	});
	const { ada, dashboard } = setup;
	const ben = await signedIn(dashboard, ADMIN);
	const start = (visitor: typeof ada, body: object) => visitor.json('/api/server/start', body);
	for (const visitor of [ben, ada])
		expect(await start(visitor, {})).toMatchObject({
			status: 409,
			body: { code: 'world-refused', detail: expect.stringContaining(WORDS) }
		});
	expect(await start(ben, { despiteWorld: true })).toMatchObject({ status: 403 });
	expect((await ben.form('/admin?/start', { despiteWorld: 'on' })).status).toBe(403);
	expect(await setup.folder.starts()).toEqual([]);

	expect(await pageText(ben, '/admin')).toContain(WORDS);
	expect(await pageText(ben, '/admin')).not.toContain('Start it anyway');
	expect(await pageText(ada, '/admin')).toContain('Start it anyway');
	expect((await ada.form('/admin?/start', { despiteWorld: 'on' })).status).toBe(303);
	await reaches(ada, 'running');
	const { body } = await ada.json('/api/operations');
	await ended(ada, body.operations[0].id);

	// Once: a restart would leave it down, so it is not stopped.
	expect(await ada.json('/api/server/restart', {})).toMatchObject({
		status: 409,
		body: { code: 'world-refused' }
	});
	await power(ada, 'stop');
	expect(await start(ada, {})).toMatchObject({ status: 409 });
	expect(await setup.folder.starts()).toHaveLength(1);
});

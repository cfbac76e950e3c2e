import fs from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { TICK_MS } from '../game.ts';
import { offlineUuid } from './lists.ts';
import { BOTS, DEATHS } from './story.ts';
import {
	folderForTest,
	LOG_LINE,
	login,
	messages,
	readJson,
	readyDemo
} from '../testing/testing.ts';
import { startForTest } from '../testing/testing.ts';

const ONE = { DEMO_BOTS: '1', DEMO_STAY: 'true', DEMO_SPEED: '100' };
const BUSY = { DEMO_BOTS: '6', DEMO_SPEED: '400' };

describe('the life of the bots', () => {
	test('they join, chat, earn advancements, die and leave in lines that a log reader understands', async () => {
		const demo = await readyDemo(BUSY);
		const deaths = DEATHS.map(({ text }) => text.replace('%1$s', '').replace(/[[\]]/g, '\\$&'));
		await demo.line(/: <\w+> /);
		await demo.line(/: \[Not Secure\] <\w+> /);
		await demo.line(/: \w+ has (made the advancement|reached the goal) \[.+\]$/);
		await demo.line(new RegExp(`: \\w+(${deaths.join('|')})$`));
		await demo.line(/: \w+ lost connection: /);
		await demo.line(/: \w+ left the game$/);
		demo.process.kill('SIGTERM');
		await demo.ended;
		const lines = demo.output().split('\n');
		const start = lines.findIndex((line) => line.includes('RCON running'));
		expect(lines.slice(start, -1).every((line) => LOG_LINE.test(line))).toBe(true);
	});

	test('each login is UUID, address, joined; each exit is lost connection, left', async () => {
		const demo = await readyDemo(BUSY);
		await demo.line(/left the game/);
		demo.process.kill('SIGTERM');
		await demo.ended;
		const said = messages(demo.output());
		for (const { name, address } of BOTS) {
			const mine = said.filter((line) =>
				new RegExp(`^(UUID of player ${name} is|${name}(\\[/| joined| lost| left))`).test(line)
			);
			const round = [
				`UUID of player ${name} is ${offlineUuid(name)}`,
				expect.stringMatching(
					new RegExp(
						`^${name}\\[/${address}:\\d+\\] logged in with entity id \\d+ at \\(-?[\\d.]+, [\\d.]+, -?[\\d.]+\\)$`
					)
				),
				`${name} joined the game`,
				expect.stringMatching(`^${name} lost connection: (Disconnected|Timed out|Server closed)$`),
				`${name} left the game`
			];
			expect(mine).toEqual(mine.map((_, index) => round[index % round.length]));
		}
	});

	test('more of them than have a name in the story are a crowd that stays', async () => {
		const demo = await readyDemo({ DEMO_BOTS: '9', DEMO_STAY: 'true', DEMO_SPEED: '100' });
		for (const name of ['Mossfeather', 'Wanderer_0', 'a_traveller_1', 'Kit_2'])
			await demo.line(new RegExp(`${name} joined the game`));
		expect(demo.output()).not.toContain('left the game');
	});

	test('players online at the stop are disconnected and saved', async () => {
		const demo = await readyDemo(ONE);
		await demo.line(/Mossfeather joined the game/);
		const stats = `world/stats/${offlineUuid('Mossfeather')}.json`;
		const before = (await readJson(demo, stats)) as StatsFile;
		demo.process.kill('SIGTERM');
		await demo.ended;
		const said = messages(demo.output());
		const at = said.indexOf('Saving players');
		expect(said.slice(at + 1, at + 4)).toEqual([
			'Mossfeather lost connection: Server closed',
			'Mossfeather left the game',
			'Saving worlds'
		]);
		const after = (await readJson(demo, stats)) as StatsFile;
		const left = (file: StatsFile) => file.stats['minecraft:custom']!['minecraft:leave_game'] ?? 0;
		expect(left(after)).toBe(left(before) + 1);
		expect(after.DataVersion).toBe(3955);
	});

	test('their statistics and advancements change and reach the disk with save-all', async () => {
		const startedMs = Date.now();
		const demo = await readyDemo(ONE);
		const uuid = offlineUuid('Mossfeather');
		const read = async () =>
			((await readJson(demo, `world/stats/${uuid}.json`)) as StatsFile).stats['minecraft:custom']![
				'minecraft:play_time'
			]!;
		const before = await read();
		await demo.line(/: (\[Not Secure\] )?<Mossfeather>/);
		const rcon = await login(demo);
		await rcon.send('save-all');
		const ticks = (await read()) - before;
		expect(ticks).toBeGreaterThan(0);
		// However fast the bots live, they have played no longer than the log says.
		expect(ticks).toBeLessThanOrEqual((Date.now() - startedMs) / TICK_MS);
		const done = await readJson(demo, `world/advancements/${uuid}.json`);
		expect(done).toMatchObject({
			'minecraft:story/mine_stone': {
				criteria: {
					get_stone: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}$/)
				},
				done: true
			},
			DataVersion: 3955
		});
	});

	test('a player who is not on the whitelist is refused, and can join once they are added', async () => {
		const folder = await folderForTest();
		const properties = path.join(folder.dir, 'server.properties');
		const text = await fs.readFile(properties, 'utf8');
		await fs.writeFile(properties, text.replace('white-list=false', 'white-list=true'));
		await fs.writeFile(path.join(folder.dir, 'whitelist.json'), '[]');
		const demo = startForTest(folder, { DEMO_BOTS: '1', DEMO_SPEED: '400' });
		const why = 'You are not white-listed on this server!';
		await demo.line(new RegExp(`Disconnecting Mossfeather \\(/192.0.2.14:\\d+\\): ${why}`));
		await demo.line(new RegExp(`: Mossfeather \\(/192.0.2.14:\\d+\\) lost connection: ${why}$`));
		expect(demo.output()).not.toContain('Mossfeather joined');
		expect(demo.output()).not.toContain('Mossfeather left');
		await demo.line(/RCON running/);
		const rcon = await login(demo);
		await rcon.send('whitelist add Mossfeather');
		await demo.line(/Mossfeather joined the game/);
	});

	test('the same seed gives the same behaviour', async () => {
		const lives = await Promise.all([1, 2].map(() => firstActions('11')));
		expect(lives[0]).toEqual(lives[1]);
		expect(await firstActions('12')).not.toEqual(lives[0]);
	});
});

type StatsFile = { stats: Record<string, Record<string, number>>; DataVersion: number };

/** What the first bot says and does until it has left once; the others do not matter to it. */
async function firstActions(seed: string): Promise<string[]> {
	const demo = await readyDemo({ DEMO_BOTS: '1', DEMO_SPEED: '400', DEMO_SEED: seed });
	await demo.line(/Mossfeather joined the game/);
	const chat = () =>
		messages(demo.output()).filter((line) => /^(\[Not Secure\] )?<Mossfeather>/.test(line));
	await expect.poll(() => chat().length, { timeout: 10_000 }).toBeGreaterThan(3);
	await demo.kill();
	return chat().slice(0, 4);
}

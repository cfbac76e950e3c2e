import { describe, expect, test } from 'vitest';
import { parseList, parseTickQuery } from './answers.ts';

const STEVE = '8667ba71-b85a-4004-af54-457a9734eed7';
const ALEX = 'ec561538-f3fd-461d-aff5-086b22154bce';
const named = (...names: string[]) => names.map((name) => ({ name, uuid: null }));

describe('parseList', () => {
	test.each([
		['an empty server', 'There are 0 of a max of 20 players online: ', 0, 20, []],
		[
			'1.16 and later',
			'There are 2 of a max of 20 players online: Steve, Alex',
			2,
			20,
			named('Steve', 'Alex')
		],
		['1.13 to 1.15', 'There are 1 of a max 20 players online: Steve', 1, 20, named('Steve')],
		[
			'1.12, its two messages in one',
			'There are 2/20 players online:Steve, Alex',
			2,
			20,
			named('Steve', 'Alex')
		],
		[
			'1.12 on Bukkit, with lines',
			'There are 2/20 players online:\nSteve, Alex\n',
			2,
			20,
			named('Steve', 'Alex')
		],
		['an empty server of 1.12', 'There are 0/20 players online:', 0, 20, []],
		[
			'Paper, with § codes',
			'§6There are §c1§6 of a max of §c20§6 players online:§r Steve\n',
			1,
			20,
			named('Steve')
		],
		['Cuberite', 'Players (2): BotA, BotB', 2, null, named('BotA', 'BotB')],
		['Cuberite without players', 'Players (0): ', 0, null, []],
		[
			'a team prefix',
			'There are 2 of a max of 20 players online: [Owner] Steve, Alex',
			2,
			20,
			named('[Owner] Steve', 'Alex')
		],
		[
			'more players than places',
			'There are 2 of a max of 1 players online: Steve, Alex',
			2,
			1,
			named('Steve', 'Alex')
		]
	])('reads %s', (_, answer, online, max, players) => {
		expect(parseList(answer)).toEqual({ online, max, players });
	});

	test('reads names and UUIDs of `list uuids`, even names with commas and brackets in a prefix', () => {
		const players = [
			{ name: 'Steve', uuid: STEVE },
			{ name: '[A, (B)] .Alex', uuid: ALEX }
		];
		const text = players.map(({ name, uuid }) => `${name} (${uuid})`).join(', ');
		expect(parseList(`There are 2 of a max of 20 players online: ${text}`)).toEqual({
			online: 2,
			max: 20,
			players
		});
	});

	test.each([
		['a prefix with a comma', 'There are 1 of a max of 20 players online: [A, B] Steve'],
		['fewer names than players', 'There are 3 of a max of 20 players online: Steve, Alex'],
		[
			'two answers run together',
			'There are 1 of a max of 20 players online: SteveThere are 1 of a max of 20 players online: Steve'
		],
		['further lines of a plugin', 'There are 1 of a max of 20 players online: Steve\nVote for us!'],
		['an endless name', `There are 1 of a max of 20 players online: ${'x'.repeat(65)}`]
	])('knows the number but not the names with %s', (_, answer) => {
		expect(parseList(answer)).toMatchObject({ max: 20, players: null });
	});

	test('knows the number of EssentialsX, whose groups it does not parse', () => {
		const answer =
			'§6There are §c2§6 out of maximum §c20§6 players online.\n§6default§r: Steve, Alex';
		expect(parseList(answer)).toEqual({ online: 2, max: 20, players: null });
	});

	test.each([
		'',
		'Unknown command. Try /help for a list of commands',
		'Unknown or incomplete command. See below for errorlist<--[HERE]',
		'Es sind 2 von maximal 20 Spielern online: Steve, Alex',
		'There are 0/20',
		'There are many of a max of 20 players online: Steve',
		'There are 2 out of maximum 20 players',
		'There are 2/1 out of maximum 20 players online.',
		'There are 0 of a max of 20 players online: Steve',
		'<Bob> There are 5 of a max of 20 players online: Bob',
		'There are -1 of a max of 20 players online: ',
		'There are 99999999999999999999 of a max of 20 players online: x',
		'Online (2/20): Steve, Alex',
		'[2] Steve Alex',
		'Players: 2'
	])('does not guess: %s', (answer) => {
		expect(parseList(answer)).toBeNull();
	});
});

describe('parseTickQuery', () => {
	const report = (state: string, target = '20.0', mspt = '3.4') =>
		`${state}Target tick rate: ${target} per second.\nAverage time per tick: ${mspt}ms (Target: 50.0ms)` +
		'Percentiles: P50: 3.3ms P95: 5.1ms P99: 6.0ms, sample: 100';

	test.each([
		['1.20.3', report('The game runs normally'), 20, 3.4],
		['1.20.5 and later', report('The game is running normally'), 20, 3.4],
		['a JVM that writes commas', report('The game is running normally', '20,0', '3,4'), 20, 3.4],
		[
			'a slow server',
			report("The game is running, but can't keep up with the target tick rate", '20.0', '80.0'),
			12.5,
			80
		],
		['another target', report('The game is running normally', '40.0', '10.0'), 40, 10],
		['a tick of no time', report('The game is running normally', '20.0', '0.0'), 20, 0],
		['Paper with § codes', `§a${report('The game is running normally')}\n`, 20, 3.4]
	])('reads %s', (_, answer, tps, mspt) => {
		expect(parseTickQuery(answer)).toEqual({ tps, mspt });
	});

	test('returns no ticks per second while the game is frozen or sprints', () => {
		expect(parseTickQuery(report('The game is frozen'))).toEqual({ tps: null, mspt: null });
		const sprint =
			'The game is sprintingTarget tick rate: 20.0 per second (ignored, reference only).\nAverage time per tick: 1.2ms' +
			'Percentiles: P50: 1.1ms P95: 1.9ms P99: 2.0ms. Sample: 100';
		expect(parseTickQuery(sprint)).toEqual({ tps: null, mspt: 1.2 });
		expect(parseTickQuery(report('Something new'))).toEqual({ tps: null, mspt: 3.4 });
	});

	test.each([
		'',
		'Unknown or incomplete command. See below for errortick query<--[HERE]',
		'The game is running normally',
		report('The game is running normally', '0.0'),
		report('The game is running normally', '20.0', 'NaN'),
		report('The game is running normally') + report('The game is running normally')
	])('does not guess: %s', (answer) => {
		expect(parseTickQuery(answer)).toBeNull();
	});
});

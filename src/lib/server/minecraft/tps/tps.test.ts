import { expect, test } from 'vitest';
import { createManualClock, settle } from '../../../../../tests/fakes/manual-clock.ts';
import { AppError } from '#core/errors';
import { createTickRates } from './tps.ts';
import { createSparkReader, parseModdedTps, parsePaperMspt, parsePaperTps } from './answers.ts';

const UNKNOWN = 'Unknown or incomplete command, see below for error<--[HERE]';
const QUERY =
	'The game is running normallyTarget tick rate: 20.0 per second.\nAverage time per tick: 3.4ms (Target: 50.0ms)' +
	'Percentiles: P50: 3.3ms P95: 5.1ms P99: 6.0ms, sample: 100';
const FORGE =
	'Dim minecraft:overworld (minecraft:overworld): Mean tick time: 40.812 ms. Mean TPS: 20.000' +
	'Dim minecraft:the_nether (minecraft:the_nether): Mean tick time: 0.100 ms. Mean TPS: 20.000' +
	'Overall: Mean tick time: 62.500 ms. Mean TPS: 16.000';
const NEOFORGE =
	'Overworld: 20.000 TPS (0.5 ms/tick)The Nether: 20.000 TPS (0.1 ms/tick)Overall: 18.500 TPS (54.054 ms/tick)';
const PAPER = '§6TPS from last 1m, 5m, 15m: §a19.8§r, §a*20.0§r, §a*20.0\n';
const MSPT =
	'§6Server tick times §e(§7avg§e/§7min§e/§7max§e)§6 from last 5s§7,§6 10s§7,§6 1m§e:\n' +
	'§6◴ §a12.3§7/§a0.9§7/§a35.4§e, §a1.1§7/§a0.8§7/§a3.0§e, §a1.1§7/§a0.8§7/§a3.0';
const SPARK = [
	'[12:00:00] [spark-worker-pool-1-thread-2/INFO] (spark) [⚡] TPS from last 5s, 10s, 1m, 5m, 15m:',
	'[12:00:00] [spark-worker-pool-1-thread-2/INFO] (spark) [⚡]  *20.0, *20.0, 19.1, *20.0, *20.0',
	'[12:00:00] [spark-worker-pool-1-thread-2/INFO] (spark) [⚡] ',
	'[12:00:00] [spark-worker-pool-1-thread-2/INFO] (spark) [⚡] Tick durations (min/med/95%ile/max ms) from last 10s, 1m:',
	'[12:00:00] [spark-worker-pool-1-thread-2/INFO] (spark) [⚡]  0.5/0.8/1.3/5.2;  0.6/1.7/2.3/9.2'
];
const LIES = [
	'[12:00:00] [Server thread/INFO]: <Eve> TPS from last 5s, 10s, 1m, 5m, 15m:',
	'[12:00:00] [Server thread/INFO]: <Eve>  1.0, 1.0, 1.0, 1.0, 1.0'
];

type Answer = string | (() => string | Promise<string>);

function setup(answers: Record<string, Answer>) {
	const clock = createManualClock();
	const asked: string[] = [];
	let listener: ((lines: string[]) => void) | null = null;
	const world = { answers };
	const rates = createTickRates({
		rcon: {
			async command(line) {
				asked.push(line);
				const answer = world.answers[line] ?? UNKNOWN;
				return typeof answer === 'string' ? answer : answer();
			}
		},
		logs: {
			subscribe(next) {
				listener = next;
				return () => void (listener = null);
			}
		},
		clock
	});
	return {
		rates,
		clock,
		asked,
		world,
		log: (lines: string[]) => listener?.(lines),
		listens: () => listener !== null
	};
}

const DIALECTS: [string, Record<string, string>, { tps: number | null; mspt: number | null }][] = [
	['vanilla 1.20.3 and later', { 'tick query': QUERY }, { tps: 20, mspt: 3.4 }],
	[
		'vanilla on a German machine, too slow',
		{ 'tick query': QUERY.replace('3.4ms', '62,5ms').replace('20.0', '20,0') },
		{ tps: 16, mspt: 62.5 }
	],
	[
		'a frozen game',
		{ 'tick query': QUERY.replace('The game is running normally', 'The game is frozen') },
		{ tps: null, mspt: null }
	],
	['Forge', { 'forge tps': FORGE }, { tps: 16, mspt: 62.5 }],
	[
		'Forge on a German machine',
		{ 'forge tps': FORGE.replaceAll('.', ',').replaceAll(' ms,', ' ms.') },
		{ tps: 16, mspt: 62.5 }
	],
	[
		'Forge 1.12',
		{
			'forge tps':
				'Dim  0 (overworld) : Mean tick time: 3.100 ms. Mean TPS: 20.000\nOverall : Mean tick time: 4.250 ms. Mean TPS: 20.000'
		},
		{ tps: 20, mspt: 4.25 }
	],
	['NeoForge until 1.20.6', { 'neoforge tps': FORGE }, { tps: 16, mspt: 62.5 }],
	['NeoForge from 1.21 on', { 'neoforge tps': NEOFORGE }, { tps: 18.5, mspt: 54.054 }],
	[
		'NeoForge from 1.21 on, with a comma',
		{ 'neoforge tps': NEOFORGE.replaceAll('.', ',') },
		{ tps: 18.5, mspt: 54.054 }
	],
	['Paper with § codes', { tps: PAPER, mspt: MSPT }, { tps: 19.8, mspt: 12.3 }],
	['Spigot, which does not know mspt', { tps: PAPER }, { tps: 19.8, mspt: null }],
	[
		'Paper above 20',
		{ tps: 'TPS from last 1m, 5m, 15m: *20.0, *20.0, *20.0' },
		{ tps: 20, mspt: null }
	]
];
test.each(DIALECTS)(
	'%s is recognised, and not probed for alternatives again',
	async (_, answers, report) => {
		const { rates, clock, asked } = setup(answers);
		expect(await rates.ask('run')).toEqual(report);
		asked.length = 0;
		await clock.advance(5_000);
		expect(await rates.ask('run')).toEqual(report);
		expect(asked.every((line) => line in answers)).toBe(true);
		expect(asked.length).toBeGreaterThan(0);
	}
);

test('spark is read from its own log lines, whatever players write', async () => {
	const { rates, clock, asked, log, listens } = setup({ 'spark tps': '' });
	const first = rates.ask('run');
	await settle();
	log(LIES);
	log(SPARK.slice(0, 2));
	log(LIES);
	log(SPARK.slice(2));
	expect(await first).toEqual({ tps: 19.1, mspt: 1.7 });
	expect(listens()).toBe(false);

	await clock.advance(59_000);
	expect(await rates.ask('run')).toEqual({ tps: 19.1, mspt: 1.7 });
	expect(asked.filter((line) => line === 'spark tps')).toHaveLength(1);
});

test('a spark that logs nothing is abandoned after 5 s, and the game clock is used', async () => {
	const { rates, clock, asked, listens } = setup({
		'spark tps': '',
		'time query gametime': 'The time is 10'
	});
	const first = rates.ask('run');
	await clock.advance(5_000);
	expect(await first).toBe(null);
	expect(asked.at(-1)).toBe('time query gametime');
	expect(listens()).toBe(false);
});

test.each([
	['The time is ', ''],
	['The game time is ', ' tick(s)']
])(
	'the game clock counts ticks between two readings at least 10 s apart: %s…',
	async (before, after) => {
		let ticks = 1_000;
		const { rates, clock } = setup({ 'time query gametime': () => `${before}${ticks}${after}` });
		const look = async (ms: number, passed: number) => {
			await clock.advance(ms);
			ticks += passed;
			return rates.ask('run');
		};
		expect(await rates.ask('run')).toBe(null);
		expect(await look(5_000, 90)).toBe(null);
		expect(await look(7_000, 126)).toEqual({ tps: 18, mspt: null });
		expect(await look(15_000, 303)).toEqual({ tps: 20, mspt: null });
		// Paused, set back, and after a long silence.
		expect(await look(15_000, 0)).toBe(null);
		expect(await look(15_000, -500)).toBe(null);
		expect(await look(300_000, 6_000)).toBe(null);
		expect(await look(15_000, 150)).toEqual({ tps: 10, mspt: null });
	}
);

test('all callers share one query, and its answer for 5 s', async () => {
	const { rates, clock, asked } = setup({ 'tick query': QUERY });
	await Promise.all(Array.from({ length: 100 }, () => rates.ask('run')));
	await clock.advance(4_999);
	await rates.ask('run');
	expect(asked).toEqual(['tick query']);
	await clock.advance(1);
	await rates.ask('run');
	expect(asked).toEqual(['tick query', 'tick query']);
});

test('a server that understands no query is left alone for ten minutes; a new run is probed again', async () => {
	const { rates, clock, asked, world } = setup({});
	expect(await rates.ask('run')).toBe(null);
	const whole = asked.length;
	for (let i = 0; i < 30; i++) {
		await clock.advance(15_000);
		expect(await rates.ask('run')).toBe(null);
	}
	expect(asked).toHaveLength(whole);
	world.answers = { 'forge tps': FORGE };
	expect(await rates.ask('another run')).toMatchObject({ tps: 16 });
	await clock.advance(150_000);
	expect(await rates.ask('another run')).toMatchObject({ tps: 16 });
});

test('a missing answer is not taken for a server that does not understand', async () => {
	const { rates, clock, asked, world } = setup({
		'tick query': () => Promise.reject(new AppError('timeout', 'No answer.'))
	});
	expect(await rates.ask('run')).toBe(null);
	expect(asked).toEqual(['tick query']);
	world.answers = { 'tick query': QUERY };
	await clock.advance(5_000);
	expect(await rates.ask('run')).toMatchObject({ tps: 20 });
});

test('invalid, doubled or endless answers are rejected quickly', () => {
	for (const text of [
		'',
		UNKNOWN,
		FORGE + FORGE,
		`Overall: ${'9'.repeat(100_000)}`,
		'Overall: NaN TPS (x ms/tick)'
	])
		expect(parseModdedTps(text)).toBe(null);
	expect(parsePaperTps(PAPER + PAPER)).toBe(null);
	expect(parsePaperMspt('mspt')).toBe(null);
	const reader = createSparkReader();
	reader.feed('TPS from last 5s, 10s, 1m, 5m, 15m:');
	reader.feed('1'.repeat(100_000));
	reader.feed(' 1.0, 1.0, 1.0');
	expect(reader.report).toBe(null);
});

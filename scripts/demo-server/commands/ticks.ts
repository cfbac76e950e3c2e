import type { Call, Command } from './types.ts';
import { TICK_MS, type Game } from '../game.ts';
import type { Options } from '../options.ts';

type Dialect = Options['ticks'];
const TPS = 1000 / TICK_MS;
/** Of a worker thread of its own, a moment after the answer. */
const SPARK_AFTER_MS = 150;
const SPARK_THREAD = 'spark-worker-pool-1-thread-1';

/** Something like a server with a few players on it: slow waves, a little noise, dearer with more players. */
function load(game: Game) {
	const seconds = performance.now() / 1000;
	const wave = Math.sin(seconds / 97) + Math.sin(seconds / 23) / 2;
	const median = Math.max(0.8, 4.2 + game.online.size * 0.9 + wave + Math.random() * 0.6);
	return { median, average: median * 1.06, p95: median * 1.7 + 0.4, p99: median * 2.3 + 0.9 };
}

const tickQuery =
	(point: '.' | ','): Command =>
	({ game, reader, success }) => {
		reader.literal(['query']);
		reader.end();
		const { median, average, p95, p99 } = load(game);
		const ms = (value: number) => `${value.toFixed(1).replace('.', point)}ms`;
		success('The game is running normally', false);
		success(
			`Target tick rate: ${TPS.toFixed(1).replace('.', point)} per second.\nAverage time per tick: ${ms(average)} (Target: ${ms(TICK_MS)})`,
			false
		);
		success(`Percentiles: P50: ${ms(median)} P95: ${ms(p95)} P99: ${ms(p99)}, sample: 100`, false);
	};

const DIMENSIONS = [
	['minecraft:overworld', 'Overworld'],
	['minecraft:the_nether', 'The Nether'],
	['minecraft:the_end', 'The End']
] as const;

const forgeLine = (what: string, ms: number) =>
	`${what}: Mean tick time: ${ms.toFixed(3)} ms. Mean TPS: ${TPS.toFixed(3)}`;
const neoforgeLine = (what: string, ms: number) =>
	`${what}: ${TPS.toFixed(3)} TPS (${ms.toFixed(3)} ms/tick)`;

const moddedTps =
	(line: (what: string, ms: number) => string, isOld: boolean): Command =>
	({ game, reader, success }) => {
		reader.literal(['tps']);
		reader.end();
		const { average } = load(game);
		for (const [id, name] of DIMENSIONS)
			success(line(isOld ? `Dim ${id} (${id})` : name, average / DIMENSIONS.length), false);
		success(line('Overall', average), false);
	};

const paperTps: Command = ({ reader, success }) => {
	reader.end();
	success(
		`§6TPS from last 1m, 5m, 15m: §a*${TPS.toFixed(1)}, §a*${TPS.toFixed(1)}, §a*${TPS.toFixed(1)}`,
		false
	);
};

const paperMspt: Command = ({ game, reader, success }) => {
	reader.end();
	const { median, average, p99 } = load(game);
	const one = `§a${average.toFixed(1)}§7/§a${(median / 2).toFixed(1)}§7/§a${p99.toFixed(1)}§e`;
	success(
		'§6Server tick times §e(§7avg§e/§7min§e/§7max§e)§6 from last 5s§7,§6 10s§7,§6 1m§e:',
		false
	);
	success(`§6◴ ${one}, ${one}, ${one}`, false);
};

/** Answers nothing: its numbers appear in the log. */
function sparkTps({ game, reader }: Call) {
	reader.literal(['tps']);
	reader.end();
	const { median, p95, p99 } = load(game);
	const ticks = [median / 2, median, p95, p99].map((value) => value.toFixed(1)).join('/');
	const say = (text: string) => game.log.info(`[⚡] ${text}`, SPARK_THREAD);
	setTimeout(() => {
		say('TPS from last 5s, 10s, 1m, 5m, 15m:');
		say(` ${Array.from({ length: 5 }, () => `*${TPS.toFixed(1)}`).join(', ')}`);
		say('');
		say('Tick durations (min/med/95%ile/max ms) from last 10s, 1m:');
		say(` ${ticks};  ${ticks}`);
	}, SPARK_AFTER_MS);
}

const COMMANDS: Record<Dialect, Record<string, Command>> = {
	vanilla: { tick: tickQuery('.') },
	comma: { tick: tickQuery(',') },
	forge: { forge: moddedTps(forgeLine, true) },
	'neoforge-old': { neoforge: moddedTps(forgeLine, true) },
	neoforge: { neoforge: moddedTps(neoforgeLine, false) },
	paper: { tps: paperTps, mspt: paperMspt },
	spark: { spark: sparkTps },
	gametime: {}
};

/** The commands that tell the tick rate on a server of this kind. */
export const tickCommands = (dialect: Dialect) => COMMANDS[dialect];

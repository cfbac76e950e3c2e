import type { Game, Player } from '../game.ts';
import { offlineUuid } from './lists.ts';
import type { Random } from '../pace.ts';
import { createRandom } from '../pace.ts';
import { disconnect, join, settle } from './players.ts';
import { add, die, grant } from './stats.ts';
import { CHAT, crowd, DEATHS, GOALS } from './story.ts';

/** All in milliseconds of the game. The first bot is there at once, so that a demo has somebody to show. */
const FIRST_JOIN_MS = [2500, 7000, 25_000, 60_000, 110_000, 160_000];
/** The others come soon after the server is up, one after the other. */
const CROWD_JOINS_MS = 3000;
const SESSION_MS = [120_000, 900_000] as const;
const PAUSE_MS = [30_000, 240_000] as const;
const ACTION_MS = [6000, 32_000] as const;

const NETHER = 'minecraft:the_nether';
const END = 'minecraft:the_end';
const OVERWORLD = 'minecraft:overworld';

/** Sets the bots going; they end with the process. The same seed gives the same lives. */
export function startBots(game: Game): void {
	// Nobody joins a copy that is only being tried.
	if (game.properties.number('max-players') === 0) return;
	crowd(game.options.bots).forEach((bot, index) => {
		const random = createRandom(game.options.seed * 31 + index);
		void live(game, bot, FIRST_JOIN_MS[index] ?? CROWD_JOINS_MS + index * 100, random);
	});
}

async function live(
	game: Game,
	bot: ReturnType<typeof crowd>[number],
	delayMs: number,
	random: Random
): Promise<void> {
	const profile = { name: bot.name, uuid: offlineUuid(bot.name) };
	await game.pace.sleep(delayMs);
	while (game.halted === null) {
		const player = await join(game, profile, bot.address, random);
		if (player) await session(game, player, random);
		await game.pace.sleep(random.between(...PAUSE_MS));
	}
}

async function session(game: Game, player: Player, random: Random): Promise<void> {
	// Counted in planned pauses, not by a clock: a slow machine must not change what a seed gives.
	let leftMs = game.options.stay ? Infinity : random.between(...SESSION_MS);
	const here = () => game.online.get(player.uuid) === player;
	while (here() && leftMs > 0) {
		const pauseMs = random.between(...ACTION_MS);
		leftMs -= pauseMs;
		await game.pace.sleep(pauseMs);
		await game.main.submit(() => {
			if (!here()) return;
			settle(player, random);
			act(game, player, random);
		});
	}
	await game.main.submit(() => {
		if (!here()) return;
		settle(player, random);
		disconnect(game, player, random.chance(0.12) ? 'Timed out' : 'Disconnected');
	});
}

function act(game: Game, player: Player, random: Random): void {
	const dice = random.next();
	if (dice < 0.5) chat(game, player, random);
	else if (dice < 0.62) achieve(game, player);
	else if (dice < 0.72) dieSomehow(game, player, random);
	else if (dice < 0.84) travel(player, random);
	else if (dice < 0.87)
		game.log.warn(
			`${player.name} moved too quickly! ${random.between(8, 60)}.${random.between(0, 999)},` +
				`-${random.between(1, 9)}.5,${random.between(-40, 40)}.0`
		);
}

function chat(game: Game, player: Player, random: Random): void {
	const secure = random.chance(0.4);
	const action = random.chance(0.06);
	const text = random.pick(CHAT);
	const line = action ? `* ${player.name} ${text}` : `<${player.name}> ${text}`;
	game.log.info(secure ? line : `[Not Secure] ${line}`);
}

function achieve(game: Game, player: Player): void {
	const next = GOALS.find((goal) => !player.record.advancements[goal.id]?.done);
	if (!next) return;
	grant(player.record.advancements, next.id, next.criterion, new Date());
	game.log.info(`${player.name} ${next.verb} [${next.title}]`);
}

function dieSomehow(game: Game, player: Player, random: Random): void {
	const death = random.pick(DEATHS);
	die(player.record.stats, death.killer);
	player.dimension = OVERWORLD;
	game.log.info(death.text.replace('%1$s', player.name));
}

function travel(player: Player, random: Random): void {
	player.dimension = player.dimension === OVERWORLD ? farAway(player) : OVERWORLD;
	player.position[0] += random.between(-200, 200);
	add(player.record.stats, 'custom', 'walk_one_cm', random.between(2000, 40_000));
}

/** One way in four leads to the End. */
const farAway = ({ position: [x] }: Player) => (Math.abs(Math.floor(x!)) % 4 === 0 ? END : NETHER);

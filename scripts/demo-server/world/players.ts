import type { Game, Player } from '../game.ts';
import { TICK_MS } from '../game.ts';
import type { Profile } from './lists.ts';
import { parseJavaDate } from './java-time.ts';
import type { Random } from '../pace.ts';
import { add, loadRecord, play, saveRecord } from './stats.ts';

const NOT_WHITELISTED = 'You are not white-listed on this server!';

/** Returns why the server does not let a player in, in the game's words, or null when it does. */
function refusal(game: Game, profile: Profile): string | null {
	const { bans, ops, whitelist } = game.lists;
	const ban = bans.get(profile.uuid);
	if (ban) {
		const reason = `You are banned from this server.\nReason: ${String(ban.reason ?? 'Banned by an operator.')}`;
		const end = parseJavaDate(ban.expires);
		return end ? `${reason}\nYour ban will be removed on ${String(ban.expires)}` : reason;
	}
	const op = ops.get(profile.uuid);
	if (game.properties.flag('white-list') && !op && !whitelist.has(profile.uuid))
		return NOT_WHITELISTED;
	const full = game.online.size >= game.properties.number('max-players');
	return full && op?.bypassesPlayerLimit !== true ? 'The server is full!' : null;
}

let authenticators = 0;
let entities = 60;

/** The whole log sequence of a login. Returns null when the player was refused. */
export async function join(
	game: Game,
	profile: Profile,
	address: string,
	random: Random
): Promise<Player | null> {
	game.log.info(
		`UUID of player ${profile.name} is ${profile.uuid}`,
		`User Authenticator #${++authenticators}`
	);
	await game.pace.sleep(random.between(200, 900));
	let player: Player | null = null;
	await game.main.submit(() => {
		const port = random.between(32768, 60999);
		const from = game.properties.flag('log-ips') ? `/${address}:${port}` : 'IP hidden';
		const no = refusal(game, profile);
		if (no) {
			game.log.info(`Disconnecting ${profile.name} (${from}): ${no}`);
			game.log.info(`${profile.name} (${from}) lost connection: ${no}`);
			return;
		}
		entities += random.between(3, 900);
		player = {
			...profile,
			record: loadRecord(game.world.dir, profile.uuid),
			dimension: 'minecraft:overworld',
			position: [random.next() * 900 - 450, random.between(62, 96), random.next() * 900 - 450],
			settledAt: performance.now()
		};
		game.lists.cache.seen(profile);
		game.online.set(profile.uuid, player);
		game.log.info(
			`${profile.name}[${from}] logged in with entity id ${entities} at ` +
				`(${player.position.map((n) => (Number.isInteger(n) ? n.toFixed(1) : n)).join(', ')})`
		);
		game.log.info(`${profile.name} joined the game`);
	});
	return player;
}

/** Ends a session: on the main thread only. The player's files are written as they leave. */
export function disconnect(game: Game, player: Player, reason: string): void {
	if (!game.online.delete(player.uuid)) return;
	game.log.info(`${player.name} lost connection: ${reason}`);
	game.log.info(`${player.name} left the game`);
	add(player.record.stats, 'custom', 'leave_game', 1);
	saveRecord(game.world.dir, player.uuid, player.record);
}

/** Brings a player's statistics up to date. In real time, as the log has it: whoever reads both finds the same. */
export function settle(player: Player, random: Random): void {
	const now = performance.now();
	const ticks = Math.floor((now - player.settledAt) / TICK_MS);
	player.settledAt += ticks * TICK_MS;
	play(player.record.stats, ticks, random);
}

export function kickUnlisted(game: Game): void {
	if (!game.properties.flag('white-list') || !game.properties.flag('enforce-whitelist')) return;
	for (const player of [...game.online.values()])
		if (!game.lists.whitelist.has(player.uuid) && !game.lists.ops.has(player.uuid))
			disconnect(game, player, NOT_WHITELISTED);
}

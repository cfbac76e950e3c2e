import { hostname } from 'node:os';
import type { Bus } from '#core/bus';
import type { Clock } from '#core/clock';
import type { Logger } from '#core/log';
import type { ServerConfig } from '#env';
import type { AppEvent } from '../events.ts';
import type { Game } from './game.ts';
import { parseList } from '#minecraft/commands';
import { plainText } from '#minecraft/text';
import { createTickRates } from '#minecraft/tps';
import type { Power } from '#services/power';
import { createStatus } from '#services/status';

type Needs = {
	clock: Clock;
	log: Logger;
	bus: Bus<AppEvent>;
	game: Game;
	power: Power;
	publicUrl: URL | null;
};

/** What everyone sees of the server, and how fast it ticks. */
export function wireStatus(config: ServerConfig, needs: Needs) {
	const { clock, log, bus, game, power, publicUrl } = needs;
	const ticks = createTickRates({ ...game, clock });
	const status = createStatus({
		observe: power.observe,
		installation: game.recently,
		probed: power.probed,
		ping: game.ping,
		rcon: game.rcon,
		rconRefused: () => game.rconRefused() !== null,
		ticks: ticks.ask,
		parse: { text: plainText, list: parseList },
		names: {
			server: config.serverName,
			address: config.serverAddress,
			page: config.demo ? null : (publicUrl?.hostname.replace(/^\[(.*)\]$/, '$1') ?? null),
			host: config.demo ? 'localhost' : hostname()
		},
		publish: bus.publish,
		log,
		clock
	});
	bus.subscribe(({ type }) => {
		if (type !== 'server-changed') return;
		// What was refused while nothing ran is worth trying again.
		game.rcon.wake();
		status.invalidate();
	});
	return { status, ticks };
}

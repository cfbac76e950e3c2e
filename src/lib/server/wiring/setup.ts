import type { Bus } from '#core/bus';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { freePortFrom } from '#core/net';
import type { Lock } from '#core/lock';
import type { Logger } from '#core/log';
import type { ServerConfig } from '#env';
import type { AppEvent } from '../events.ts';
import type { Game } from './game.ts';
import { acceptEula, editServerProperties, readServerProperties } from '#minecraft/folder';
import type { Audit } from '#services/audit';
import { createSetup } from '#services/setup';

type Needs = {
	clock: Clock;
	log: Logger;
	bus: Bus<AppEvent>;
	audit: Audit;
	game: Game;
	/** The operations' lock. */
	lock: Lock;
};

/** Changes to the game's own configuration; what waits for a stopped server is written as soon as it stops. */
export function wireSetup(config: ServerConfig, { clock, log, bus, audit, game, lock }: Needs) {
	const { dataDir, serverDir } = config;
	const refuseUntouchable = async () => {
		const why = await game.untouchable.anyChange();
		if (why) throw new AppError('conflict', why);
	};
	const setup = createSetup({
		dataDir,
		isStopped: async () => (await game.runtime.state()).phase === 'stopped',
		lock,
		properties: () => readServerProperties(serverDir, clock),
		rcon: config.rcon,
		freePort: freePortFrom,
		written: game.forget,
		async edit(changes) {
			await refuseUntouchable();
			return editServerProperties(serverDir, changes);
		},
		async acceptEula() {
			await refuseUntouchable();
			return acceptEula(serverDir);
		},
		audit: audit.record
	});
	const applyQueued = (locked = false) =>
		setup
			.applyQueued(locked)
			.catch((cause) => log.error('What was queued could not be written', { cause }));
	bus.subscribe((event) => {
		// While an operation is in progress it holds the lock that writing needs.
		const ended = event.type === 'operation' && event.summary.state !== 'running';
		if (ended || event.type === 'server-changed') void applyQueued();
	});
	return { setup, applyQueued };
}

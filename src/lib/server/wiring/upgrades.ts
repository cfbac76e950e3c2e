import { readdir } from 'node:fs/promises';
import type { Clock } from '#core/clock';
import { lazy, lazyMethods } from '#core/lazy';
import type { Lock } from '#core/lock';
import type { Logger } from '#core/log';
import type { ServerConfig } from '#env';
import type { Operations, StepContext } from '#operations';
import type { Audit } from '#services/audit';
import type { Power } from '#services/power';
import type { SettingsService } from '#services/settings';
import type { SoftwareParts } from '#services/software';
import type { UpgradesDeps } from '#services/upgrades';
import type { Game } from './game.ts';
import type { wireMods } from './mods.ts';
import type { wireSources } from './sources.ts';

type Needs = {
	clock: Clock;
	log: Logger;
	audit: Audit;
	game: Game;
	power: Power;
	operations: Operations;
	settings: SettingsService;
	sources: ReturnType<typeof wireSources>;
	/** What the mods bring along. */
	mods: () => Promise<ReturnType<typeof wireMods>['forUpgrades']>;
	software: { parts: () => Promise<SoftwareParts>; upgradeRefusal: string | null };
	/** What an operation was started with; null when nobody knows. */
	attempt: (id: string) => Promise<unknown>;
	/** Takes a backup as a step of another operation. */
	backup: (ctx: StepContext, note: string) => Promise<unknown>;
	/** The operations' lock. */
	lock: Lock;
	/** Everyone the server remembers. */
	players: UpgradesDeps['players'];
};

/** Which newer game versions there are for these mods, and going to one. */
export function wireUpgrades(config: ServerConfig, needs: Needs) {
	const part = lazy(() => build(config, needs));
	return {
		upgrades: lazyMethods(part),
		defineOperations: async () => (await part()).define()
	};
}

async function build(config: ServerConfig, needs: Needs) {
	const { clock, log, audit, game, power, operations, settings, sources } = needs;
	const { serverDir } = config;
	const [{ createUpgrades }, { flushDisk }, mods, software, source] = await Promise.all([
		import('#services/upgrades'),
		import('#storage/archive'),
		needs.mods(),
		needs.software.parts(),
		sources.sources()
	]);
	return createUpgrades({
		...{ serverDir, software, operations, clock, log, flushDisk, ...mods, ...sources.versions },
		refusal: needs.software.upgradeRefusal,
		installation: game.installation,
		started: config.demo ? () => demoLauncher(serverDir) : software.started,
		untouchable: game.untouchable.modChange,
		sources: source,
		hasJava: async (major) => (await game.javas.choose(major)) !== null,
		server: power.serverControl,
		attempt: needs.attempt,
		backup: async (ctx, note) => void (await needs.backup(ctx, note)),
		lock: needs.lock,
		players: needs.players,
		trialBoots: async () => (await settings.get()).trialBoots,
		changed() {
			game.forget();
			mods.changed();
		},
		audit: audit.record
	});
}

/** The demo's game starts by a command of its own, and is the version that this jar tells. */
const demoLauncher = async (serverDir: string) =>
	(await readdir(serverDir)).find((name) => /^fabric-server-mc\..+\.jar$/.test(name)) ?? null;

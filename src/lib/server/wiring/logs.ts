import type { Clock } from '#core/clock';
import type { Logger } from '#core/log';
import type { ServerConfig } from '#env';
import type { Game } from './game.ts';
import { parseHelp } from '#minecraft/commands';
import { blamedLines } from '#minecraft/diagnosis';
import { createLogFiles } from '#minecraft/log-files';
import { createLogReader } from '#minecraft/logs';
import { createLogMask } from '#minecraft/mask';
import { spansOf, stripCodes } from '#minecraft/text';
import type { Audit } from '#services/audit';
import { createConsole } from '#services/console';
import { createLogs } from '#services/logs';
import type { Power } from '#services/power';
import type { InstalledMods } from '#schemas/mod';

type Needs = {
	clock: Clock;
	log: Logger;
	audit: Audit;
	game: Game;
	/** All that are known now. */
	secrets: () => Promise<string[]>;
	power: Power;
	/** All that are installed. */
	mods: () => Promise<InstalledMods>;
	/** Somebody used the console. */
	ran: () => void;
};

/** What the game writes and answers: its logs and its console. */
export function wireLogs(
	config: ServerConfig,
	{ clock, log, audit, game, power, mods, secrets, ran }: Needs
) {
	const logs = createLogs({
		reader: createLogReader({ files: createLogFiles({ serverDir: config.serverDir }), clock }),
		mask: createLogMask,
		secrets,
		follower: game.logs,
		plain: stripCodes,
		blamedLines,
		async about() {
			const [{ gameVersion, software }, java, installed] = await Promise.all([
				game.recently(),
				game.java(),
				mods().catch(() => null) // said below
			]);
			const enabled = installed?.mods.filter((mod) => mod.enabled) ?? [];
			return [
				`Craftwarden ${config.version}`,
				gameVersion ? `Minecraft ${gameVersion}` : '',
				software ?? '',
				java ? `Java ${java.version}` : '',
				`Mods: ${installed ? enabled.length || 'none' : 'cannot be read'}`,
				...enabled.map(({ name, version }) => `- ${name}${version ? ` ${version}` : ''}`)
			].filter(Boolean);
		},
		log,
		clock
	});
	const console = createConsole({
		rcon: game.rcon,
		stoppedBy: power.stoppedBy,
		spans: spansOf,
		async mask(text) {
			return createLogMask({ secrets: await secrets(), addresses: false }).text(text);
		},
		currentRun: async () => (await game.runtime.state()).run?.id ?? null,
		parseHelp,
		audit: audit.record,
		ran,
		clock
	});
	return { logs, console };
}

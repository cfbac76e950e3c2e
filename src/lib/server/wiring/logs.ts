import type { Clock } from '#core/clock';
import type { Logger } from '#core/log';
import type { ServerConfig } from '#env';
import type { Game } from './game.ts';
import { createLogFiles } from '#minecraft/log-files';
import { createLogReader } from '#minecraft/logs';
import { createLogMask } from '#minecraft/mask';
import { createPropertiesReader } from '#minecraft/folder';
import { spansOf, stripCodes } from '#minecraft/text';
import type { Audit } from '#services/audit';
import { createConsole } from '#services/console';
import { createLogs } from '#services/logs';

type Needs = {
	clock: Clock;
	log: Logger;
	audit: Audit;
	game: Game;
	secrets: string[];
	/** Somebody used the console. */
	ran: () => void;
};

/** Values of server.properties that nobody may read in a log. */
const SECRET_KEYS = [
	'rcon.password',
	'management-server-secret',
	'management-server-tls-keystore-password'
];

/** What the game writes and answers: its logs and its console. */
export function wireLogs(config: ServerConfig, { clock, log, audit, game, secrets, ran }: Needs) {
	const readProperties = createPropertiesReader(config.serverDir, clock);
	const allSecrets = async () => {
		const properties = await readProperties();
		const written = SECRET_KEYS.map((key) => properties?.get(key) ?? '');
		return [...secrets, ...written].filter((secret) => secret !== '');
	};
	const logs = createLogs({
		reader: createLogReader({ files: createLogFiles({ serverDir: config.serverDir }), clock }),
		mask: createLogMask,
		secrets: allSecrets,
		follower: game.logs,
		plain: stripCodes,
		async about() {
			const { gameVersion, software } = await game.recently();
			return [
				`Craftwarden ${config.version}`,
				gameVersion ? `Minecraft ${gameVersion}` : '',
				software ?? ''
			].filter(Boolean);
		},
		log,
		clock
	});
	const console = createConsole({
		rcon: game.rcon,
		spans: spansOf,
		async mask(text) {
			return createLogMask({ secrets: await allSecrets(), addresses: false }).text(text);
		},
		audit: audit.record,
		ran
	});
	return { logs, console };
}

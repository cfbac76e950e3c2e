import type { Clock } from './core/clock.ts';
import type { Logger } from './core/log.ts';
import type { Env } from './env.ts';
import type { Game } from './game.ts';
import { createLogFiles } from './minecraft/log-files.ts';
import { createLogReader } from './minecraft/log-reader.ts';
import { createLogMask } from './minecraft/mask.ts';
import { createPropertiesReader } from './minecraft/server-properties.ts';
import { spansOf } from './minecraft/spans.ts';
import { stripCodes } from './minecraft/text.ts';
import type { Audit } from './services/audit.ts';
import { createConsole } from './services/console.ts';
import { createLogs } from './services/logs/index.ts';

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
export function createTexts(env: Env, { clock, log, audit, game, secrets, ran }: Needs) {
	const readProperties = createPropertiesReader(env.serverDir, clock);
	const allSecrets = async () => {
		const properties = await readProperties();
		const written = SECRET_KEYS.map((key) => properties?.get(key) ?? '');
		return [...secrets, ...written].filter((secret) => secret !== '');
	};
	const logs = createLogs({
		reader: createLogReader({ files: createLogFiles({ serverDir: env.serverDir }), clock }),
		mask: createLogMask,
		secrets: allSecrets,
		follower: game.logs,
		plain: stripCodes,
		async about() {
			const { gameVersion, software } = await game.recently();
			return [
				`Craftwarden ${env.version}`,
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

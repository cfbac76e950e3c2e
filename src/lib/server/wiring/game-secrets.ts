import type { Clock } from '#core/clock';
import { createPropertiesReader } from '#minecraft/folder';

/** Values of server.properties that must never be shown. */
const SECRET_KEYS = [
	'rcon.password',
	'management-server-secret',
	'management-server-tls-keystore-password'
];

/** All secrets that are known now: our own, and those in the game's own configuration. */
export function createGameSecrets(
	{ serverDir }: { serverDir: string },
	own: string[],
	clock: Clock
): () => Promise<string[]> {
	const readProperties = createPropertiesReader(serverDir, clock);
	return async () => {
		const properties = await readProperties();
		const written = SECRET_KEYS.map((key) => properties?.get(key) ?? '');
		return [...own, ...written].filter((secret) => secret !== '');
	};
}

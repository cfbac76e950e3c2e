import type { Properties } from '#minecraft/folder';

const RCON_PORT = 25575;
const GAME_PORT = 25565;

type Facts = {
	/** From `.env`: what the dashboard connects with, whatever the file says. */
	rcon: { port: number | null; password: string | null };
	freePort: (wanted: number, meant: number[]) => Promise<number>;
	/** Where nothing is set: the same password each time. */
	made: { password: string };
};

/**
 * What server.properties needs so that RCON is on, and the lines to show for it. A port and a password that stand in it
 * are kept: other programs and firewalls may know them. Only a password that is made here is ever shown.
 */
export async function rconLines(properties: Properties | null, { rcon, freePort, made }: Facts) {
	const get = (key: string) => properties?.get(key)?.trim() ?? '';
	const game = portOf(get('server-port')) ?? GAME_PORT;
	const query = portOf(get('query.port')) ?? game;
	const kept = properties?.get('rcon.password') || null;
	const port = portOf(get('rcon.port'));
	// Without a password nobody has chosen the usual port: the game writes it into each new file.
	const isChosen = port !== null && port !== game && (port !== RCON_PORT || kept !== null);
	const changes = {
		'enable-rcon': 'true',
		'rcon.port': String(
			isChosen ? port : (rcon.port ?? (await freePort(RCON_PORT, [game, query])))
		),
		'rcon.password': kept ?? rcon.password ?? made.password
	};
	const { 'rcon.password': password, ...shown } = changes;
	const lines = Object.entries(shown).map(([key, value]) => `${key}=${value}`);
	if (kept === null)
		lines.push(`rcon.password=${rcon.password === null ? password : '(RCON_PASSWORD of .env)'}`);
	return { changes, lines };
}

function portOf(text: string) {
	const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
	return port >= 1 && port <= 65_535 ? port : null;
}

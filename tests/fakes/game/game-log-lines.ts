import { createGameLog, type GameEvent } from '#minecraft/game-log';

export const FILE_DATE = new Date(2026, 2, 14, 13);
export const ID = 'b6eb53c6-e73e-4b90-8130-45a9e17ed832';

/** Lines of the server thread in the shape of vanilla, Fabric, Quilt and Paper. */
export const said = (...messages: string[]) =>
	messages.map((m) => `[12:00:00] [Server thread/INFO]: ${m}`);
export const feed = (lines: string[]) => createGameLog().feed(lines, { fileDate: FILE_DATE });
export const short = ({ kind, player, text }: GameEvent) => [kind, player?.display ?? null, text];
export const events = (...lines: string[]) => feed(lines).events.map(short);

export const START = 'Starting minecraft server version 1.20.1';
export const login = (name: string, from = '/203.0.113.7:50000') =>
	`${name}[${from}] logged in with entity id 7 at (1.5, 64.0, -3.5)`;
export const join = (name: string) => [login(name), `${name} joined the game`];
/** A run that begins while we watch, with Ana and Bo in it. */
export const RUN = [START, ...join('Ana'), ...join('Bo')];
/** What happens after `RUN`. */
export const inRun = (...messages: string[]) => events(...said(...RUN, ...messages)).slice(3);

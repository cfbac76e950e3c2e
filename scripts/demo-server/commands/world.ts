import { CommandError } from './reader.ts';
import { expand } from './admin.ts';
import { executeWith } from './execute.ts';
import type { Command } from './types.ts';
import type { Game, Player } from '../game.ts';
import { gameTicks, saveEverything } from '../game.ts';
import { wait } from '../pace.ts';

const DAY_TICKS = 24_000;
const CONTENT = ['text', 'translate', 'score', 'selector', 'keybind', 'nbt', 'extra'];

const list: Command = ({ game, reader, success }) => {
	const uuids = reader.more() && reader.literal(['uuids']) === 'uuids';
	reader.end();
	const players = [...game.online.values()];
	const names = players.map(({ name, uuid }) => (uuids ? `${name} (${uuid})` : name));
	const max = game.properties.number('max-players');
	const text = `There are ${players.length} of a max of ${max} players online: ${names.join(', ')}`;
	success(text, false);
};

const say: Command = ({ game, source, reader }) =>
	game.log.info(`[Not Secure] [${source.name}] ${expand(game, reader.rest())}`);

/** Reaches the bots' screens, which are none: silent, except for what is wrong with it. */
const tellraw: Command = ({ game, reader }) => {
	const targets = reader.players();
	const json = reader.rest();
	const at = reader.input.length - json.length;
	let component: unknown;
	try {
		component = JSON.parse(json);
	} catch (error) {
		throw new CommandError(`Invalid chat component: ${(error as Error).message}`, at);
	}
	if (!isComponent(component))
		throw new CommandError(`Invalid chat component: Not a component: ${json}`, at);
	targets(game);
};

function isComponent(value: unknown): boolean {
	if (typeof value === 'string') return true;
	if (Array.isArray(value)) return value.length > 0 && value.every(isComponent);
	return typeof value === 'object' && value !== null && CONTENT.some((key) => key in value);
}

const saveAll: Command = async ({ game, reader, success }) => {
	const flush = reader.more() && reader.literal(['flush']) === 'flush';
	reader.end();
	success('Saving the game (this may take a moment!)', false);
	try {
		saveEverything(game, true);
	} catch (error) {
		game.log.error(`Failed to save the world\n${String(error)}`);
		throw new CommandError('Unable to save the game (is there enough disk space?)');
	}
	if (flush) await wait(game.options.saveMs);
	success('Saved the game', true);
};

const saving =
	(on: boolean): Command =>
	({ game, reader, success }) => {
		reader.end();
		if (game.saving === on) throw new CommandError(`Saving is already turned ${on ? 'on' : 'off'}`);
		game.saving = on;
		success(`Automatic saving is now ${on ? 'enabled' : 'disabled'}`, true);
	};

const stop: Command = ({ game, reader, success }) => {
	reader.end();
	success('Stopping the server', true);
	game.halt(0);
};

const seed: Command = ({ game, reader, success }) => {
	reader.end();
	success(`Seed: [${game.world.seed}]`, false);
};

const time: Command = ({ game, reader, success }) => {
	reader.literal(['query']);
	const what = reader.literal(['daytime', 'gametime', 'day']);
	reader.end();
	const ticks = gameTicks(game);
	const answers: Record<string, number> = {
		gametime: ticks % 2 ** 31,
		daytime: ticks % DAY_TICKS,
		day: Math.floor(ticks / DAY_TICKS)
	};
	success(`The time is ${answers[what]}`, false);
};

const data: Command = ({ game, reader, success }) => {
	reader.literal(['get']);
	reader.literal(['entity']);
	const target = reader.players({ single: true, entities: true });
	const path = reader.more() ? reader.word() : null;
	reader.end();
	const player = target(game)[0]!;
	const tags = nbtOf(game, player);
	const value = path === null ? compound(tags) : tags[path];
	if (value === undefined) throw new CommandError(`Found no elements matching ${path}`);
	success(`${player.name} has the following entity data: ${value}`, false);
};

const nbtOf = (game: Game, player: Player): Record<string, string> => ({
	DataVersion: '3955',
	Dimension: `"${player.dimension}"`,
	Health: '20.0f',
	OnGround: '1b',
	Pos: `[${player.position.map((n) => `${Number.isInteger(n) ? n.toFixed(1) : n}d`).join(', ')}]`,
	UUID: `[I; ${intsOf(player.uuid).join(', ')}]`,
	XpLevel: String(gameTicks(game) % 40),
	foodLevel: '18'
});

/** As the game keeps an id: four whole numbers of 32 bits. */
const intsOf = (uuid: string) =>
	(uuid.replaceAll('-', '').match(/.{8}/g) ?? []).map((part) => Number.parseInt(part, 16) | 0);

const compound = (tags: Record<string, string>) =>
	`{${Object.entries(tags)
		.map(([key, value]) => `${key}: ${value}`)
		.join(', ')}}`;

export const worldCommands: Record<string, Command> = {
	list,
	say,
	tellraw,
	'save-all': saveAll,
	'save-on': saving(true),
	'save-off': saving(false),
	stop,
	seed,
	time,
	data,
	execute: executeWith({ data })
};

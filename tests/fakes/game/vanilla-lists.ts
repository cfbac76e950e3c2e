import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

type Entry = { uuid: string; name: string } & Record<string, unknown>;
type Kind = 'ops' | 'whitelist' | 'bans';

const FILES: Record<Kind, string> = {
	ops: 'ops.json',
	whitelist: 'whitelist.json',
	bans: 'banned-players.json'
};

export type VanillaLists = {
	/** 1.12 uses other words, and says `done` whether or not anything changed; `strange` speaks no known language. */
	dialect: 'modern' | '1.12' | 'strange';
	/** `refuses`: memory changes, the file does not. */
	disk: 'works' | 'refuses' | 'in-two-pieces';
	online: Set<string>;
	/** Names that Mojang would know; null when the server asks for no accounts. */
	accounts: Map<string, string> | null;
	/** Carries out a command as the game does, its files too, and answers. */
	answer(line: string): string;
};

/** The lists of a running game: read once, kept in memory, written in place at each change. */
export function vanillaLists(dir: string, given: Partial<VanillaLists> = {}): VanillaLists {
	const load = (kind: Kind): Entry[] => {
		const file = path.join(dir, FILES[kind]);
		return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Entry[]) : [];
	};
	const memory = { ops: load('ops'), whitelist: load('whitelist'), bans: load('bans') };
	const properties = path.join(dir, 'server.properties');
	let enabled = /^white-list=true$/m.test(
		existsSync(properties) ? readFileSync(properties, 'utf8') : ''
	);

	const write = (file: string, text: string) => {
		if (game.disk === 'refuses') return;
		if (game.disk === 'works') return writeFileSync(file, text);
		writeFileSync(file, text.slice(0, text.length / 2));
		setTimeout(() => existsSync(dir) && writeFileSync(file, text), 80);
	};
	const save = (kind: Kind) =>
		write(path.join(dir, FILES[kind]), JSON.stringify(memory[kind], null, 2));

	const profile = (name: string) => {
		const lower = name.toLowerCase();
		const listed = Object.values(memory)
			.flat()
			.find((entry) => entry.name.toLowerCase() === lower);
		if (listed) return { uuid: listed.uuid, name: listed.name };
		if (!game.accounts) return { uuid: md5Uuid(name), name };
		for (const [known, uuid] of game.accounts)
			if (known.toLowerCase() === lower) return { uuid, name: known };
		return null;
	};

	const put = (kind: Kind, name: string, extra: object, words: Words) => {
		const who = profile(name);
		if (!who) return game.dialect === '1.12' ? words.old12 : 'That player does not exist';
		const had = memory[kind].some(({ uuid }) => uuid === who.uuid);
		if (had && game.dialect === 'modern') return words.same;
		memory[kind] = [...memory[kind].filter(({ uuid }) => uuid !== who.uuid), { ...who, ...extra }];
		save(kind);
		return words.done(who.name);
	};
	const take = (kind: Kind, name: string, words: Words) => {
		const who = profile(name);
		if (!who) return 'That player does not exist';
		const left = memory[kind].filter(({ uuid }) => uuid !== who.uuid);
		if (left.length === memory[kind].length && game.dialect === 'modern') return words.same;
		memory[kind] = left;
		save(kind);
		return words.done(who.name);
	};
	const turn = (on: boolean) => {
		const word = on ? 'on' : 'off';
		if (enabled === on) return `Whitelist is already turned ${word}`;
		enabled = on;
		const text = existsSync(properties) ? readFileSync(properties, 'utf8') : '';
		write(properties, `${text.replace(/^white-list=.*\n/m, '')}white-list=${on}\n`);
		return game.dialect === '1.12'
			? `Turned ${word} the whitelist`
			: `Whitelist is now turned ${word}`;
	};

	const run = (line: string): string => {
		const [verb = '', first = '', ...more] = line.split(' ');
		const old = game.dialect === '1.12';
		const rest = more.join(' ');
		if (verb === 'op')
			return put(
				'ops',
				first,
				{ level: 4, bypassesPlayerLimit: false },
				{
					done: (name) => (old ? `Opped ${name}` : `Made ${name} a server operator`),
					same: 'Nothing changed. The player already is an operator',
					old12: `Could not op ${first}`
				}
			);
		if (verb === 'deop')
			return take('ops', first, {
				done: (name) => (old ? `De-opped ${name}` : `Made ${name} no longer a server operator`),
				same: 'Nothing changed. The player is not an operator',
				old12: ''
			});
		if (verb === 'ban') {
			const reason = rest || 'Banned by an operator.';
			const created = '2026-01-02 03:04:05 +0000';
			return put(
				'bans',
				first,
				{ created, source: 'Rcon', expires: 'forever', reason },
				{
					done: (name) => (old ? `Banned player ${name}` : `Banned ${name}: ${reason}`),
					same: 'Nothing changed. The player is already banned',
					old12: `Could not ban player ${first}`
				}
			);
		}
		if (verb === 'pardon')
			return take('bans', first, {
				done: (name) => (old ? `Unbanned player ${name}` : `Unbanned ${name}`),
				same: "Nothing changed. The player isn't banned",
				old12: ''
			});
		if (verb === 'kick') {
			const name = first.replaceAll('"', '');
			if (!game.online.delete(name)) return 'No player was found';
			return `Kicked ${name}: ${rest || 'Kicked by an operator'}`;
		}
		if (verb === 'whitelist' && first === 'add')
			return put(
				'whitelist',
				rest,
				{},
				{
					done: (name) => `Added ${name} to the whitelist`,
					same: 'Player is already whitelisted',
					old12: `Could not add ${rest} to the whitelist`
				}
			);
		if (verb === 'whitelist' && first === 'remove')
			return take('whitelist', rest, {
				done: (name) => `Removed ${name} from the whitelist`,
				same: 'Player is not whitelisted',
				old12: ''
			});
		if (verb === 'whitelist' && (first === 'on' || first === 'off')) return turn(first === 'on');
		return `Unknown or incomplete command, see below for error${line.slice(0, 10)}<--[HERE]`;
	};

	const game: VanillaLists = {
		dialect: 'modern',
		disk: 'works',
		online: new Set(),
		accounts: null,
		...given,
		answer(line) {
			const said = run(line);
			return game.dialect === 'strange' ? 'Das hat geklappt, oder auch nicht.' : said;
		}
	};
	return game;
}

type Words = { done: (name: string) => string; same: string; old12: string };

function md5Uuid(name: string) {
	const hash = createHash('md5').update(`OfflinePlayer:${name}`).digest();
	hash[6] = (hash[6]! & 0x0f) | 0x30;
	hash[8] = (hash[8]! & 0x3f) | 0x80;
	return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

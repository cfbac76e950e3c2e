import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { javaDate, parseJavaDate } from './java-time.ts';
import type { GameLog } from '../log.ts';

export type Profile = { name: string; uuid: string };
export type UserEntry = Profile & Record<string, unknown>;

const CACHE_ENTRIES = 1000;

/** Version 3, as the game makes for a server without accounts. */
export function offlineUuid(name: string): string {
	const hash = createHash('md5').update(`OfflinePlayer:${name}`).digest();
	hash[6] = (hash[6]! & 0x0f) | 0x30;
	hash[8] = (hash[8]! & 0x3f) | 0x80;
	return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** ops.json, whitelist.json or banned-players.json: kept in memory, written in place at each change. */
export interface UserList {
	has(uuid: string): boolean;
	get(uuid: string): UserEntry | undefined;
	all(): UserEntry[];
	add(entry: UserEntry): void;
	remove(uuid: string): void;
	/** Reads the file again; a broken one is logged and counts as empty. */
	load(): void;
	save(): void;
}

function openUserList(file: string, log: GameLog, complaint: string): UserList {
	let entries = new Map<string, UserEntry>();
	const expired = (entry: UserEntry) => {
		const end = parseJavaDate(entry.expires);
		return end !== null && end.getTime() < Date.now();
	};
	const alive = () => [...entries.values()].filter((entry) => !expired(entry));
	const list: UserList = {
		has: (uuid) => list.get(uuid) !== undefined,
		get: (uuid) => alive().find((entry) => entry.uuid === uuid),
		all: alive,
		add(entry) {
			entries.set(entry.uuid, entry);
			list.save();
		},
		remove(uuid) {
			entries.delete(uuid);
			list.save();
		},
		load() {
			entries = new Map();
			if (!fs.existsSync(file)) return;
			try {
				const stored = JSON.parse(fs.readFileSync(file, 'utf8')) as UserEntry[];
				entries = new Map(stored.map((entry) => [entry.uuid, entry]));
			} catch (error) {
				log.warn(`${complaint}\n${String(error)}`);
			}
		},
		// In place and not atomic: truncate, then write, as the game does.
		save: () => fs.writeFileSync(file, JSON.stringify(alive(), null, 2))
	};
	list.load();
	list.save();
	return list;
}

/** usercache.json: who was ever seen, the latest first. */
export interface UserCache {
	byName(name: string): Profile | null;
	seen(profile: Profile): void;
}

function openUserCache(file: string): UserCache {
	type Entry = Profile & { expiresOn: string };
	let entries: Entry[] = [];
	try {
		entries = JSON.parse(fs.readFileSync(file, 'utf8')) as Entry[];
	} catch {
		// Missing or broken: the game starts an empty one too.
	}
	return {
		byName: (name) =>
			entries.find((entry) => entry.name.toLowerCase() === name.toLowerCase()) ?? null,
		seen({ name, uuid }) {
			const others = entries.filter((entry) => entry.uuid !== uuid);
			entries = [{ name, uuid, expiresOn: inAMonth() }, ...others].slice(0, CACHE_ENTRIES);
			fs.writeFileSync(file, JSON.stringify(entries));
		}
	};
}

export function inAMonth(): string {
	const date = new Date();
	date.setMonth(date.getMonth() + 1);
	return javaDate(date);
}

export type Lists = { ops: UserList; whitelist: UserList; bans: UserList; cache: UserCache };

export const openLists = (dir: string, log: GameLog): Lists => ({
	bans: openUserList(path.join(dir, 'banned-players.json'), log, 'Failed to load user banlist: '),
	ops: openUserList(path.join(dir, 'ops.json'), log, 'Failed to load operators list: '),
	whitelist: openUserList(path.join(dir, 'whitelist.json'), log, 'Failed to load white-list: '),
	cache: openUserCache(path.join(dir, 'usercache.json'))
});

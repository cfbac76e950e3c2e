import { readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ensureDir, sweepTemps, syncDir, writeAtomic } from '#core/files';
import { errno } from '#core/errors';
import { Message } from '../message.ts';

/**
 * One file per message and channel, named so that they sort in the order in which they came: adding is one rename,
 * being done is one removal, and whatever is killed in between leaves the one or the other.
 */
export interface QueueStore {
	/** On disk when it resolves. */
	add(channel: string, item: Item): Promise<void>;
	remove(channel: string, item: Item): Promise<void>;
	/** Of all channels, oldest first. A file that makes no sense is set aside. */
	load(): Promise<Map<string, Item[]>>;
	drop(channel: string): Promise<void>;
}

/** `expiresAt`: ISO 8601; nobody wants to read it any more after that. */
export type Item = { seq: number; message: Message; expiresAt: string };

const Stored = z.object({ version: z.literal(1), message: Message, expiresAt: z.iso.datetime() });
const NAME = /^(\d{16})\.json$/;
const CHANNEL = /^[0-9a-f]{16}$/;
const FILE_MAX_CHARS = 64 * 1024;

export function createQueueStore(dir: string, warn: (message: string) => void): QueueStore {
	const folder = (channel: string) => path.join(dir, channel);
	const file = (channel: string, { seq }: Item) =>
		path.join(folder(channel), `${String(seq).padStart(16, '0')}.json`);

	async function read(channel: string, name: string): Promise<Item | null> {
		const seq = Number(NAME.exec(name)?.[1]);
		const from = path.join(folder(channel), name);
		try {
			const text = await readFile(from, 'utf8');
			if (text.length > FILE_MAX_CHARS) throw new Error('it is too large');
			const { message, expiresAt } = Stored.parse(JSON.parse(text));
			return { seq, message, expiresAt };
		} catch (cause) {
			if (errno(cause)) throw cause;
			await rename(from, `${from}.broken`);
			warn(`A notification that waited could not be read and is kept aside as ${name}.broken.`);
			return null;
		}
	}

	async function ofChannel(channel: string): Promise<Item[]> {
		const items: Item[] = [];
		await sweepTemps(folder(channel), new Date());
		for (const name of (await readdir(folder(channel))).sort()) {
			const item = NAME.test(name) ? await read(channel, name) : null;
			if (item) items.push(item);
		}
		return items;
	}

	return {
		async add(channel, item) {
			await ensureDir(folder(channel));
			const { message, expiresAt } = item;
			await writeAtomic(file(channel, item), JSON.stringify({ version: 1, message, expiresAt }));
		},
		async remove(channel, item) {
			await rm(file(channel, item), { force: true });
			// Otherwise a power cut brings back what was delivered.
			await syncDir(folder(channel)).catch((cause) => {
				if (errno(cause) !== 'ENOENT') throw cause;
			});
		},
		async load() {
			await ensureDir(dir);
			const all = new Map<string, Item[]>();
			for (const channel of await readdir(dir))
				if (CHANNEL.test(channel)) all.set(channel, await ofChannel(channel));
			return all;
		},
		drop: (channel) => rm(folder(channel), { recursive: true, force: true })
	};
}

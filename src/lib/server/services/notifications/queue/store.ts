import { readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ensureDir, sweepTemps, syncDir, writeAtomic } from '#core/files';
import { errno } from '#core/errors';
import { Message } from '../message.ts';

/**
 * One file per message and channel, named so that they sort in the order in which they came. Adding one is a rename,
 * finishing it another, so whatever is killed in between leaves the one or the other. Those finished last stay, so
 * that what is told again after a kill is known.
 */
export interface QueueStore {
	/** On disk when it resolves. */
	add(channel: string, item: Item): Promise<void>;
	/** Nothing more is done with it. */
	finish(channel: string, item: Item): Promise<void>;
	/** A finished one is no longer of interest. */
	forget(channel: string, item: Item): Promise<void>;
	/** Those that there is something of; none when that cannot be read. */
	channels(): Promise<string[]>;
	/** Oldest first. What makes no sense is set aside, what cannot be read is left for the next start. */
	load(channel: string): Promise<Loaded>;
	drop(channel: string): Promise<void>;
}

/** `expiresAt`: ISO 8601; nobody wants to read it any more after that. */
export type Item = { seq: number; message: Message; expiresAt: string };
export type Loaded = { waiting: Item[]; finished: Item[] };

const Stored = z.object({ version: z.literal(1), message: Message, expiresAt: z.iso.datetime() });
const NAME = /^(\d{16})\.(json|done)$/;
const CHANNEL = /^[0-9a-f]{16}$/;
const FILE_MAX_CHARS = 64 * 1024;

type Warn = (message: string, facts?: { cause?: unknown }) => void;

export function createQueueStore(dir: string, warn: Warn): QueueStore {
	const folder = (channel: string) => path.join(dir, channel);
	const file = (channel: string, { seq }: Item, state: 'json' | 'done') =>
		path.join(folder(channel), `${String(seq).padStart(16, '0')}.${state}`);

	async function read(channel: string, name: string): Promise<Item | null> {
		const seq = Number(NAME.exec(name)?.[1]);
		const from = path.join(folder(channel), name);
		try {
			const text = await readFile(from, 'utf8');
			if (text.length > FILE_MAX_CHARS) throw new Error('it is too large');
			const { message, expiresAt } = Stored.parse(JSON.parse(text));
			return { seq, message, expiresAt };
		} catch (cause) {
			if (errno(cause)) warn('A notification that waits cannot be read just now', { cause });
			else await setAside(from, name);
			return null;
		}
	}

	async function setAside(from: string, name: string) {
		await rename(from, `${from}.broken`).then(
			() => warn(`A notification that waited made no sense and is kept aside as ${name}.broken.`),
			(cause) => warn('A notification that waited makes no sense and is in the way', { cause })
		);
	}

	/** Makes sure that a power cut brings nothing back. */
	const settled = (channel: string) => syncDir(folder(channel)).catch(unlessMissing);
	const unreadable = (cause: unknown) => {
		if (errno(cause) !== 'ENOENT')
			warn('Notifications that wait cannot be read: they are sent after the next start', { cause });
		return [];
	};

	return {
		async add(channel, item) {
			await ensureDir(folder(channel));
			const { message, expiresAt } = item;
			const text = JSON.stringify({ version: 1, message, expiresAt });
			await writeAtomic(file(channel, item, 'json'), text);
		},
		async finish(channel, item) {
			// One that the disk refused is in memory only.
			await rename(file(channel, item, 'json'), file(channel, item, 'done')).catch(unlessMissing);
			await settled(channel);
		},
		async forget(channel, item) {
			await rm(file(channel, item, 'done'), { force: true });
		},
		channels: async () =>
			(await readdir(dir).catch(unreadable)).filter((name) => CHANNEL.test(name)),
		async load(channel) {
			const loaded: Loaded = { waiting: [], finished: [] };
			await sweepTemps(folder(channel), new Date()).catch(() => {}); // said by what follows
			for (const name of (await readdir(folder(channel)).catch(unreadable)).sort()) {
				const [, , state] = NAME.exec(name) ?? [];
				const item = state && (await read(channel, name));
				if (item) (state === 'json' ? loaded.waiting : loaded.finished).push(item);
			}
			return loaded;
		},
		drop: (channel) => rm(folder(channel), { recursive: true, force: true })
	};
}

function unlessMissing(cause: unknown) {
	if (errno(cause) !== 'ENOENT') throw cause;
}

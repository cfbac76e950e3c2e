import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { Note, Time } from '#schemas/common';
import { Snapshot, SnapshotId } from '#schemas/snapshot';
import { bytesOf, nameOf, parentOf, ROOTS, rootOf, type Name } from './names.ts';

/**
 * A snapshot's file: one line about it, which may be replaced, then one line for each entry, which never change:
 * their sha256 is in the first line.
 */
const VERSION = 1;
const LINES_PER_TURN = 500;

/** Text, or bytes that are not text. */
const Exact = z.union([z.string(), z.strictObject({ base64: z.base64() })]);
const exact = (latin1: string): z.infer<typeof Exact> => {
	const bytes = bytesOf(latin1);
	const text = bytes.toString('utf8');
	return Buffer.from(text).equals(bytes) ? text : { base64: bytes.toString('base64') };
};
const inexact = (value: z.infer<typeof Exact>) =>
	nameOf(typeof value === 'string' ? Buffer.from(value) : Buffer.from(value.base64, 'base64'));

const Named = Exact.transform(inexact).refine(isCovered, 'Not a name that a snapshot covers');
const Count = z.int().min(0);
const owned = { name: Named, uid: Count, gid: Count };
export const Entry = z.discriminatedUnion('kind', [
	z.strictObject({ kind: z.literal('dir'), ...owned, mode: Count.max(0o7777) }),
	z.strictObject({
		kind: z.literal('file'),
		...owned,
		mode: Count.max(0o1777),
		size: Count,
		mtimeMs: z.number(),
		hash: z.string().regex(/^[0-9a-f]{64}$/),
		seen: z.string().nullable()
	}),
	z.strictObject({ kind: z.literal('link'), ...owned, target: Exact.transform(inexact) }),
	/** It existed but is not in the snapshot: left alone on a restore. */
	z.strictObject({ kind: z.literal('left'), name: Named, why: z.string() })
]);
export type Entry = z.infer<typeof Entry>;
export type FileEntry = Extract<Entry, { kind: 'file' }>;

export const Head = z.strictObject({
	version: z.literal(VERSION),
	id: SnapshotId,
	createdAt: Time,
	reason: Snapshot.shape.reason,
	operationId: z.string().nullable(),
	subject: Snapshot.shape.subject,
	/** Not kept by the first versions. */
	by: z.string().nullable().default(null),
	note: Note,
	pinned: z.boolean(),
	verifiedAt: Time.nullable(),
	problem: z.string().nullable(),
	mods: Count,
	files: Count,
	bytes: Count,
	/** What it leaves out, in words. */
	warnings: z.array(z.string()),
	/** sha256 of everything after this line. */
	body: z.string().regex(/^[0-9a-f]{64}$/)
});
export type Head = z.infer<typeof Head>;
export type Manifest = { head: Head; entries: Entry[] };

export async function encode(facts: Omit<Head, 'version' | 'body'>, entries: Entry[]) {
	let body = '';
	for (const [i, entry] of entries.entries()) {
		const target = entry.kind === 'link' && { target: exact(entry.target) };
		body += `${JSON.stringify({ ...entry, name: exact(entry.name), ...target })}\n`;
		if (i % LINES_PER_TURN === LINES_PER_TURN - 1) await turn();
	}
	return headLine({ version: VERSION, ...facts, body: sha256(body) }) + body;
}

/** The same snapshot with a different description. */
export const rehead = (text: string, head: Head) =>
	headLine(head) + text.slice(text.indexOf('\n') + 1);

const headLine = (head: Head) => `${JSON.stringify(head)}\n`;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A string ends the sentence 'Its list of files …'. */
export async function decode(text: string, id: string): Promise<Manifest | string> {
	const end = text.indexOf('\n');
	const first = fromJson(text.slice(0, Math.max(0, end)));
	const version = (first as { version?: unknown } | null)?.version;
	if (typeof version === 'number' && version > VERSION)
		return 'was written by a newer Craftwarden. Update Craftwarden';
	const head = Head.safeParse(first);
	if (!head.success || head.data.id !== id) return 'is damaged';
	const body = text.slice(end + 1);
	if (sha256(body) !== head.data.body) return 'is damaged';
	const entries = await parseAll(body);
	return entries && areSound(entries) ? { head: head.data, entries } : 'is damaged';
}

async function parseAll(body: string): Promise<Entry[] | null> {
	const entries: Entry[] = [];
	for (const line of body.split('\n').slice(0, -1)) {
		const entry = Entry.safeParse(fromJson(line));
		if (!entry.success) return null;
		if (entries.push(entry.data) % LINES_PER_TURN === 0) await turn();
	}
	return entries;
}

function fromJson(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		return null;
	}
}

function isCovered(name: Name): boolean {
	const parts = name.split('/');
	return (
		ROOTS.includes(rootOf(name)) &&
		!name.includes('\0') &&
		parts.every((part) => part !== '' && part !== '.' && part !== '..')
	);
}

/** Each name once, and in a folder that comes before it: nothing could be written through a link. */
function areSound(entries: Entry[]): boolean {
	const dirs = new Set<Name>();
	const names = new Set<Name>();
	return entries.every(({ kind, name }) => {
		const parent = parentOf(name);
		if (names.has(name) || (parent !== null && !dirs.has(parent))) return false;
		names.add(name);
		if (kind === 'dir') dirs.add(name);
		return true;
	});
}

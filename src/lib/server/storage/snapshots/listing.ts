import type { Snapshot } from '#schemas/snapshot';
import type { Entry } from './manifest.ts';
import type { Readable, Shelf, Unreadable } from './shelf.ts';

/** A snapshot as the store knows it. */
export type Stored = Omit<Snapshot, 'inUse'> & {
	/** False when its manifest cannot be used: nobody knows what it needs. */
	readable: boolean;
};

/** All of them, newest first; read again only when one of them has changed. */
export function listing(shelf: Shelf): () => Promise<Stored[]> {
	let known: { stamp: string; list: Promise<Stored[]> } | null = null;
	return async () => {
		const stamp = await shelf.stamp();
		if (known?.stamp === stamp) return known.list;
		const mine = { stamp, list: readAll(shelf) };
		known = mine;
		mine.list.catch(() => {
			if (known === mine) known = null;
		});
		return mine.list;
	};
}

type Sizes = Map<string, number>;
/** Which snapshots need it: one, or several. */
type Owners = Map<string, string | null>;

async function readAll(shelf: Shelf): Promise<Stored[]> {
	const list: { stored: Stored; sizes: Sizes }[] = [];
	const owners: Owners = new Map();
	for (const id of await shelf.ids()) {
		const found = await shelf.load(id);
		if (!found) continue;
		if ('problem' in found) {
			list.push({ stored: unreadable(found), sizes: new Map() });
			continue;
		}
		const sizes = sizesOf(found.manifest.entries);
		for (const hash of sizes.keys()) owners.set(hash, owners.has(hash) ? null : id);
		list.push({ stored: readable(found), sizes });
	}
	for (const { stored, sizes } of list)
		for (const [hash, size] of sizes) if (owners.get(hash) === stored.id) stored.ownBytes += size;
	return list.map(({ stored }) => stored).sort(newestFirst);
}

function sizesOf(entries: Entry[]): Sizes {
	const sizes: Sizes = new Map();
	for (const one of entries) if (one.kind === 'file') sizes.set(one.hash, one.size);
	return sizes;
}

const newestFirst = (a: Stored, b: Stored) =>
	b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id);

function readable({ manifest: { head } }: Readable): Stored {
	const { id, createdAt, reason, operationId, by, note, pinned, verifiedAt, problem } = head;
	const { subject, mods, files, bytes, warnings } = head;
	return {
		...{ id, createdAt, reason, operationId, by, note, pinned, verifiedAt, problem },
		...(subject !== undefined && { subject }),
		...{ mods, files, bytes, ownBytes: 0, warnings, readable: true }
	};
}

function unreadable({ id, problem }: Unreadable): Stored {
	const [, year, month, day, hour, minute, second] =
		/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(id)!;
	return {
		id,
		createdAt: `${year}-${month}-${day}T${hour}:${minute}:${second}Z`,
		...{ reason: 'manual', operationId: null, by: null, note: '', pinned: false },
		...{ mods: 0, files: 0, bytes: 0, ownBytes: 0, verifiedAt: null, warnings: [] },
		problem: `Its list of files ${problem}. It cannot be restored.`,
		readable: false
	};
}

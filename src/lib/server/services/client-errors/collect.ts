import type { ClientErrorGroup, ClientErrors } from '#schemas/client-error';
import { linesBackwards, openRegular } from '#core/files';
import { rotatedNames } from '#core/log';
import { Line } from './line.ts';

/** However long the history is, a page reads no more of it than this. */
const LINES_MAX = 2000;
/** Our own lines are shorter. */
const LINE_MAX_BYTES = 64 * 1024;
const URLS_MAX = 5;

type Group = { group: ClientErrorGroup; addresses: Set<string> };

/** Groups the lines of the files, read backwards, after those that are not written yet. */
export async function collect(
	files: string[],
	pending: Line[],
	limit: number
): Promise<ClientErrors> {
	const groups = new Map<string, Group>();
	for (const line of pending) add(groups, line);
	let cut = false;
	for (const file of files) {
		let left = LINES_MAX;
		for await (const line of newest(file)) {
			if (left-- === 0) {
				cut = true;
				break;
			}
			add(groups, line);
		}
	}
	const all = [...groups.values()].map(({ group, addresses }) => ({
		...group,
		addresses: addresses.size
	}));
	// By text: both are ISO times in UTC.
	all.sort((a, b) => (a.lastAt < b.lastAt ? 1 : a.lastAt > b.lastAt ? -1 : 0));
	return { errors: all.slice(0, limit), truncated: cut || all.length > limit };
}

function add(groups: Map<string, Group>, line: Line) {
	const { id, at, count, url, address } = line;
	const known = groups.get(id);
	const { group, addresses } = known ?? { group: groupOf(line), addresses: new Set<string>() };
	if (!known) groups.set(id, { group, addresses });
	if (address) addresses.add(address);
	if (at < group.firstAt) group.firstAt = at;
	if (at > group.lastAt) group.lastAt = at;
	group.count += count;
	if (url && group.urls.length < URLS_MAX && !group.urls.includes(url)) group.urls.push(url);
}

const groupOf = (line: Line): ClientErrorGroup => ({
	id: line.id,
	message: line.message,
	kind: line.kind,
	count: 0,
	firstAt: line.at,
	lastAt: line.at,
	urls: [],
	stack: line.stack,
	release: line.release,
	userAgent: line.userAgent,
	address: line.address,
	account: line.account,
	addresses: 0
});

async function* newest(file: string): AsyncGenerator<Line> {
	for (const name of rotatedNames(file)) {
		const handle = await openRegular(name).catch(() => null); // one that cannot be read is skipped
		if (!handle) continue;
		try {
			for await (const { bytes, cut } of linesBackwards(handle, { keepBytes: LINE_MAX_BYTES })) {
				const line = cut ? null : parse(bytes.toString());
				if (line) yield line;
			}
		} finally {
			await handle.close();
		}
	}
}

function parse(text: string): Line | null {
	try {
		return Line.parse(JSON.parse(text));
	} catch {
		return null; // torn, or not ours
	}
}

import { MetricEvent } from '#schemas/analytics';
import { appendLine, openRegular, writeAtomic } from '#core/files';
import { createSerial } from '#core/serial';

/** What happened to the server, one line each, beside its samples. */
export interface MetricEvents {
	/** Does nothing when an event with this `id` is among the last ones: an end may be announced twice. */
	append(event: MetricEvent & { id?: string }): Promise<void>;
	/** Events in [from, to), oldest first. */
	between(from: number, to: number): Promise<MetricEvent[]>;
}

/** At this size the older half is dropped: some ten thousand events. */
const FILE_MAX_BYTES = 1 << 20;
/** A file larger than we ever let it grow is read from its end. */
const READ_MAX_BYTES = 2 * FILE_MAX_BYTES;
const LINE_MAX = 2_000;
const RECENT_IDS = 50;

export function createMetricEvents(file: string): MetricEvents {
	let known: { stamp: string; events: MetricEvent[] } | null = null;
	const ids: string[] = [];
	/** One at a time: an event that arrives while the older half is dropped would be lost with it. */
	const writing = createSerial();

	async function write({ id, ...event }: MetricEvent & { id?: string }) {
		if (id !== undefined && ids.includes(id)) return;
		await appendLine(file, JSON.stringify(event));
		if (id !== undefined) ids.push(id);
		ids.splice(0, ids.length - RECENT_IDS);
		const { size, text } = await readEnd(file);
		if (size > FILE_MAX_BYTES) await writeAtomic(file, newerHalf(text));
	}

	return {
		append: (event) => writing.run(() => write(event)),
		async between(from, to) {
			const { stamp, text } = await readEnd(file, known?.stamp);
			if (text !== null || !known) known = { stamp, events: parse(text ?? '') };
			return known.events.filter(({ t }) => Date.parse(t) >= from && Date.parse(t) < to);
		}
	};
}

/** `text` is null when the file still has this stamp. */
async function readEnd(file: string, before?: string) {
	const handle = await openRegular(file);
	if (!handle) return { stamp: '', size: 0, text: '' };
	try {
		const { ino, size, mtimeMs } = await handle.stat();
		const stamp = `${ino} ${size} ${mtimeMs}`;
		if (stamp === before) return { stamp, size, text: null };
		const bytes = Buffer.alloc(Math.min(size, READ_MAX_BYTES));
		const { bytesRead } = await handle.read(bytes, 0, bytes.length, size - bytes.length);
		return { stamp, size, text: bytes.toString('utf8', 0, bytesRead) };
	} finally {
		await handle.close();
	}
}

const newerHalf = (text: string | null) => {
	const lines = (text ?? '').split('\n').filter((line) => line !== '' && line.length <= LINE_MAX);
	return lines
		.slice(lines.length >> 1)
		.map((line) => `${line}\n`)
		.join('');
};

/** The clock may have been set back, and a line may be torn. */
const parse = (text: string): MetricEvent[] =>
	text
		.split('\n')
		.flatMap((line) => {
			if (line.length > LINE_MAX) return [];
			try {
				return [MetricEvent.parse(JSON.parse(line))];
			} catch {
				return [];
			}
		})
		.toSorted((a, b) => (a.t < b.t ? -1 : a.t > b.t ? 1 : 0));

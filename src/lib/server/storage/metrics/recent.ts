import { createSerial } from '#core/serial';
import { newRow, readRow, toMetricLine, type Row } from './lines.ts';
import type { Metrics } from './metrics.ts';

/** A store whose newest samples are found without reading its file: most graphs show the last day, over and over. */
export interface RecentMetrics extends Metrics {
	/** Reads the last day into memory. It stays there while nobody else changes the file, and is read anew when they do. */
	remember(): Promise<void>;
}

/** A day, and the whole step that its graph begins with. */
const RECENT_MS = 26 * 3_600_000;
/** One every 15 s, and room for more. */
const SAMPLES_MAX = 8192;

/** `now`: milliseconds since 1970. */
export function withRecent(store: Metrics, now: () => number): RecentMetrics {
	const writing = createSerial();
	let kept: { samples: Samples; stamp: string } | null = null;

	async function remember() {
		const stamp = await store.stamp();
		const samples = await readSamples(store, now() - RECENT_MS);
		kept = { samples, stamp };
	}
	/** Only as long as the file is what they were read from. */
	const current = async () => (kept && kept.stamp === (await store.stamp()) ? kept.samples : null);

	return {
		...store,
		remember: () => writing.run(remember),
		append: (sample) =>
			writing.run(async () => {
				const wasKept = kept !== null;
				const samples = await current();
				await store.append(sample);
				if (samples) {
					const line = Buffer.from(toMetricLine(sample));
					const row = newRow();
					if (readRow(line, 0, line.length, row)) samples.add(row);
					kept = { samples, stamp: await store.stamp() };
				} else if (wasKept) await remember();
			}),
		async scan(window, visit) {
			const samples = kept?.samples.covers(window.from) ? await current() : null;
			if (!samples) return store.scan(window, visit);
			samples.visit(window, visit);
			return { bytesRead: 0, skipped: 0 };
		}
	};
}

type Samples = Awaited<ReturnType<typeof readSamples>>;

/** Those since `from`, in milliseconds since 1970, or as many as there is room for. */
async function readSamples(store: Metrics, from: number) {
	let since = from;
	const leftOut = (row: Row) => void (since = Math.max(since, row[0]! + 1));
	const newestFirst: Row[] = [];
	await store.scan({ from, to: Infinity }, (row) => {
		if (newestFirst.length < SAMPLES_MAX) newestFirst.push(row.slice());
		else leftOut(row);
	});
	const rows = newestFirst.reverse();

	return {
		add(row: Row) {
			rows.push(row);
			if (rows.length > SAMPLES_MAX) leftOut(rows.shift()!);
		},
		/** Whether every sample from then on is here. */
		covers: (from: number) => from >= since,
		/** Newest first. */
		visit({ from, to }: { from: number; to: number }, visit: (row: Row) => void) {
			for (let i = rows.length - 1; i >= 0; i--) {
				const t = rows[i]![0]!;
				if (t >= from && t < to) visit(rows[i]!);
			}
		}
	};
}

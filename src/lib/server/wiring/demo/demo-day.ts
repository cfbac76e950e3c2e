import path from 'node:path';
import { z } from 'zod';
import { Time } from '#schemas/common';
import { exists, parseJson, readTextIfExists, writeAtomic } from '#core/files';
import { toMetricLine, type Sample } from '#storage/metrics';

const SAMPLE_MS = 15_000;
const DAY_MS = 24 * 3_600_000;
/** The demo's own restart of that day: this long offline, half way through. */
const OFF_MS = 90_000;
const BOTS = 6;
const NOTE = 'demo-day.json';
const Note = z.object({ until: Time });

/** A generated day before the demo's first start, so that its graphs are full. Existing samples stay. */
export async function writeDemoDay(dataDir: string, now: Date) {
	const file = (name: string) => path.join(dataDir, name);
	if ((await exists(file('metrics.jsonl'))) || (await exists(file('metric-events.jsonl')))) return;
	const end = now.getTime();
	const restart = end - DAY_MS / 2;
	const samples: string[] = [];
	for (let t = end - DAY_MS; t < end; t += SAMPLE_MS)
		if (t < restart || t >= restart + OFF_MS)
			samples.push(`${toMetricLine(sampleAt(t, restart))}\n`);
	const marks = [
		{ t: end - DAY_MS, kind: 'start', label: 'Started' },
		{ t: restart, kind: 'restart', label: 'Restarted' }
	].map(({ t, ...mark }) => `${JSON.stringify({ t: new Date(t).toISOString(), ...mark })}\n`);
	await writeAtomic(file('metrics.jsonl'), samples.join(''));
	await writeAtomic(file('metric-events.jsonl'), marks.join(''));
	await writeAtomic(file(NOTE), `${JSON.stringify({ until: now.toISOString() })}\n`);
}

/** The end of that day; null where there is none: then all that the graphs show was measured. */
export async function madeUpUntil(dataDir: string): Promise<string | null> {
	const text = await readTextIfExists(path.join(dataDir, NOTE));
	return text === null ? null : (Note.safeParse(parseJson(text)).data?.until ?? null);
}

/** Much like the demo server itself: few in the early morning, most in the evening, with a little noise. */
function sampleAt(t: number, restart: number): Sample {
	const day = (hour: number) => Math.cos(((t / 3_600_000 - hour) / 24) * 2 * Math.PI);
	const wave = (minutes: number) => Math.sin((t / 60_000 / minutes) * 2 * Math.PI);
	const crowd = BOTS * (0.5 + 0.38 * day(19) + 0.1 * wave(47) + 0.08 * wave(13));
	const players = Math.max(0, Math.min(BOTS, Math.round(crowd)));
	// It grows from its start on, and is collected every few minutes.
	const hours = Math.max(0, t >= restart ? t - restart : t - restart + DAY_MS / 2) / 3_600_000;
	const memory = 101 + 0.6 * hours + 0.9 * players + 2.5 * (((t / 60_000) % 7) / 7);
	const busy = 1 + 0.12 * wave(5) + 0.08 * wave(1.7);
	const mspt = (4.5 + 1.2 * players) * busy;
	// Once in an hour something heavy is loaded.
	const heavy = (t / 60_000) % 61 < 2 ? 3.1 : 1;
	const round = (value: number, digits: number) => Number(value.toFixed(digits));
	return {
		t,
		ramBytes: Math.round(memory * 1e6),
		cpuPercent: round((0.4 + 0.2 * players) * busy * heavy, 1),
		players,
		tps: round(Math.min(20, 20.6 - (mspt * heavy) / 25), 1),
		mspt: round(mspt * heavy, 1)
	};
}

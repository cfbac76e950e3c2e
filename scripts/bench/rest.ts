import { residentMb, row, sleep, type Row } from './measure.ts';
import type { Bench } from './bench.ts';

/** Five minutes after the load of the parts before. */
export async function benchRest({ dashboard }: Bench): Promise<Row[]> {
	const peak = `${residentMb(dashboard.pid).toFixed(0)} MB at its end`;
	await sleep(300_000);
	return [row('memory 5 min after the load', residentMb(dashboard.pid), 'MB', 110, peak)];
}

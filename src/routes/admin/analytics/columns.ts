import type { Analytics } from '$lib/schemas/analytics';
import { inUnit, METRICS, type Metric } from '$lib/schemas/plain/metric-units';

export type Value = number | null;

/** The mean, minimum and maximum of each step that has samples, in the metric's units; small on the wire. */
export type Columns = {
	from: number;
	to: number;
	stepMs: number;
	/** Which steps, counted from `from`. */
	steps: number[];
} & Record<Metric, { mean: Value[]; min: Value[]; max: Value[] }>;

export function toColumns({ from, to, stepMs, entries }: Analytics): Columns {
	const begin = Date.parse(from);
	const columns = METRICS.map((metric) => [
		metric,
		{
			mean: entries.map((entry) => shown(metric, entry[metric])),
			min: entries.map(({ min }) => shown(metric, min[metric])),
			max: entries.map(({ max }) => shown(metric, max[metric]))
		}
	]);
	return {
		...{ from: begin, to: Date.parse(to), stepMs },
		steps: entries.map(({ t }) => Math.round((Date.parse(t) - begin) / stepMs)),
		...(Object.fromEntries(columns) as Record<Metric, Columns[Metric]>)
	};
}

/** A measured value in the metric's unit. */
export const shown = (metric: Metric, value: Value) =>
	value === null ? null : inUnit(metric, value);

/** Of a table, which is read row by row: a day has one for each hour. */
export const ROWS_MAX = 32;
/** The marks of a busy year would overlap: only the newest are drawn. */
export const FLAGS_MAX = 300;

import type { MetricsNow } from '$lib/schemas/analytics';
import type { Status } from '$lib/schemas/status';
import { UNKNOWN } from '$lib/ui/format/format';
import { decimalsOf, METRICS, UNITS, type Metric } from '$lib/schemas/plain/metric-units';

type Look = {
	label: string;
	/** Its hue, on every page. */
	colour: string;
	/** The scale reaches at least this far, in the unit, so that small changes do not look dramatic. */
	least: number;
	hint: string;
};

const LOOKS: Record<Metric, Look> = {
	ramBytes: {
		...{ label: 'RAM', colour: 'var(--player-2)', least: 0.1 },
		hint: 'Memory held by the server’s processes'
	},
	cpuPercent: {
		...{ label: 'CPU', colour: 'var(--player-1)', least: 10 },
		hint: '100 % is one core'
	},
	players: {
		...{ label: 'Players', colour: 'var(--player-3)', least: 4 },
		hint: 'Players online'
	},
	tps: {
		...{ label: 'TPS', colour: 'var(--player-6)', least: 20 },
		hint: 'Ticks a second; 20 is full speed'
	},
	mspt: {
		...{ label: 'MSPT', colour: 'var(--player-4)', least: 50 },
		hint: 'Time a tick takes; above 50 ms the game slows down'
	}
};

export const VARIANTS = Object.fromEntries(
	METRICS.map((metric) => [metric, { ...LOOKS[metric], ...UNITS[metric] }])
) as Record<Metric, Look & (typeof UNITS)[Metric]>;

/** A sample of a run that has ended says nothing about what is now. */
export const isOfRun = (
	{ t }: Pick<MetricsNow, 't'>,
	{ state, startedAt }: Pick<Status, 'state' | 'startedAt'>
) => state !== 'stopped' && state !== 'crashed' && !(t && startedAt && t < startedAt);

/** `2.14 GB`, `35 %`, `0.4 %`, `3`, `19.8`. */
export function amount(metric: Metric, value: number | null | undefined): string {
	if (value === null || value === undefined) return UNKNOWN;
	return withUnit(metric, value / VARIANTS[metric].per);
}

/** A value that is in its unit already; without the unit's name where it would be too much. */
export const bare = (metric: Metric, value: number | null | undefined) =>
	value === null || value === undefined ? UNKNOWN : value.toFixed(decimalsOf(metric, value));
export const withUnit = (metric: Metric, value: number | null | undefined) =>
	value === null || value === undefined
		? UNKNOWN
		: [bare(metric, value), VARIANTS[metric].unit].filter(Boolean).join(' ');

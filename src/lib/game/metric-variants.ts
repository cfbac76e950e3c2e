import { UNKNOWN } from '$lib/ui/format/format';
import type { Metric } from '$lib/schemas/analytics';

type Variant = {
	label: string;
	unit: string;
	/** Its hue, on every page. */
	colour: string;
	decimals: number;
	/** What the value is divided by to be in its unit. */
	per: number;
	/** The scale reaches at least this far, in the unit, so that small changes do not look dramatic. */
	least: number;
	hint: string;
};

export const VARIANTS: Record<Metric, Variant> = {
	ramBytes: {
		...{ label: 'RAM', unit: 'GB', colour: 'var(--player-2)', decimals: 2, per: 1e9, least: 1 },
		hint: 'Memory that the server’s processes hold'
	},
	cpuPercent: {
		...{ label: 'CPU', unit: '%', colour: 'var(--player-1)', decimals: 0, per: 1, least: 100 },
		hint: '100 % is one core'
	},
	players: {
		...{ label: 'Players', unit: '', colour: 'var(--player-3)', decimals: 0, per: 1, least: 4 },
		hint: 'Players online'
	},
	tps: {
		...{ label: 'TPS', unit: '', colour: 'var(--player-6)', decimals: 1, per: 1, least: 20 },
		hint: 'Ticks a second; 20 is full speed'
	},
	mspt: {
		...{ label: 'MSPT', unit: 'ms', colour: 'var(--player-4)', decimals: 1, per: 1, least: 50 },
		hint: 'Time a tick takes; above 50 ms the game slows down'
	}
};

/** In the order of the graphs. */
export const METRICS = Object.keys(VARIANTS) as Metric[];

/** `2.14 GB`, `35 %`, `3`, `19.8`. */
export function amount(metric: Metric, value: number | null | undefined): string {
	if (value === null || value === undefined) return UNKNOWN;
	return withUnit(metric, value / VARIANTS[metric].per);
}

/** In the metric's unit, with more decimals than are shown: rounded twice, 23.46 would be 24. */
export function inUnit(metric: Metric, value: number): number {
	const { per, decimals } = VARIANTS[metric];
	const scale = 10 ** (decimals + 2);
	return Math.round((value / per) * scale) / scale;
}

/** A value that is in its unit already; without the unit's name where it would be too much. */
export const bare = (metric: Metric, value: number | null | undefined) =>
	value === null || value === undefined ? UNKNOWN : value.toFixed(VARIANTS[metric].decimals);
export const withUnit = (metric: Metric, value: number | null | undefined) =>
	value === null || value === undefined
		? UNKNOWN
		: [bare(metric, value), VARIANTS[metric].unit].filter(Boolean).join(' ');

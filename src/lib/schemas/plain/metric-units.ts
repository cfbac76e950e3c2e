/** What is measured, in the order of the graphs. */
export const METRICS = ['ramBytes', 'cpuPercent', 'players', 'tps', 'mspt'] as const;
export type Metric = (typeof METRICS)[number];

type Unit = {
	unit: string;
	decimals: number;
	/** The same below 10, where whole numbers say too little. */
	small?: number;
	/** What the value is divided by to get its unit. */
	per: number;
};

export const UNITS: Record<Metric, Unit> = {
	ramBytes: { unit: 'GB', decimals: 2, per: 1e9 },
	cpuPercent: { unit: '%', decimals: 0, small: 1, per: 1 },
	players: { unit: '', decimals: 0, per: 1 },
	tps: { unit: '', decimals: 1, per: 1 },
	mspt: { unit: 'ms', decimals: 1, per: 1 }
};

/** How many decimals a value is shown with that is in its unit. */
export function decimalsOf(metric: Metric, value: number): number {
	const { decimals, small = decimals } = UNITS[metric];
	return Number(value.toFixed(small)) < 10 ? small : decimals;
}

/** In the metric's unit, with more decimals than are shown: rounded twice, 23.46 would become 24. */
export function inUnit(metric: Metric, value: number): number {
	const { per, decimals } = UNITS[metric];
	const scale = 10 ** (decimals + 2);
	return Math.round((value / per) * scale) / scale;
}

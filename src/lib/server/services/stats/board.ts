import { listed } from '#schemas/plain/words/listed';
import { STAT_METRICS, type StatMetric } from '#schemas/plain/stat-metrics';
import { BOARD_TOP } from '#schemas/plain/limits';
import {
	BOARD_ROWS,
	type Board,
	type BoardQuery,
	type PlayerNumbers,
	type PlayerStats
} from '#schemas/stats';
import type { One, Snapshot } from './record.ts';

const NAMED_MAX = 3;

/**
 * Highest value first, players with an unknown value last; players with a value of zero have no rank. Search results
 * keep their rank among all players.
 */
export function boardOf(
	snapshot: Snapshot,
	query: BoardQuery,
	seen: ReadonlyMap<string, string>
): Board {
	const { metric, show, q } = query;
	const { all, unreadable, generatedAt } = snapshot;
	const values = sortedValues(all, metric);
	const matching = search(all, q);
	const found = matching.filter(({ stats }) => hasAny(stats[metric]));
	const unknown = matching.filter(({ stats }) => stats[metric] === null);
	const total = found.length + unknown.length;
	const size = show === 'all' ? BOARD_ROWS : BOARD_TOP;
	const pages = show === 'all' ? Math.max(1, Math.ceil(total / size)) : 1;
	const page = Math.min(query.page, pages);
	const from = (page - 1) * size;
	const rows = [...greatest(found, metric, page * size), ...unknown]
		.slice(from, from + size)
		.map(({ stats, lastSeenAt: writtenAt }) => ({
			rank: hasAny(stats[metric]) ? rankIn(values, stats[metric]) : null,
			...{ uuid: stats.uuid, name: stats.name, value: stats[metric] },
			...{ lastSeenAt: seen.get(stats.uuid) ?? null, writtenAt }
		}));
	return {
		...{ metric, show, q, page, pages, rows, generatedAt },
		best: values.at(-1) ?? 0,
		found: total,
		ranked: values.length + all.filter(({ stats }) => stats[metric] === null).length,
		players: all.length,
		problem: problemOf(unreadable)
	};
}

const hasAny = (value: number | null): value is number => value !== null && value > 0;

/** The rank in each metric, one below those who have more; null for players with nothing in it. */
export function ranksOf(all: One[], mine: PlayerStats): PlayerNumbers['ranks'] {
	const ranks = STAT_METRICS.map((metric) => {
		const own = mine[metric];
		if (!hasAny(own)) return [metric, null];
		let rank = 1;
		for (const { stats } of all) if ((stats[metric] ?? 0) > own) rank++;
		return [metric, rank];
	});
	return Object.fromEntries(ranks) as PlayerNumbers['ranks'];
}

/** The values above zero, lowest first. */
const sortedValues = (all: One[], metric: StatMetric) =>
	Float64Array.from(all.map(({ stats }) => stats[metric]).filter(hasAny)).sort();

function rankIn(values: Float64Array, value: number): number {
	let [low, high] = [0, values.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (values[middle]! > value) high = middle;
		else low = middle + 1;
	}
	return values.length - low + 1;
}

/** Only as many as are shown are sorted by name: thousands may have the same value. */
function greatest(found: One[], metric: StatMetric, count: number): One[] {
	const values = sortedValues(found, metric);
	const least = values.at(-Math.min(count, values.length)) ?? 0;
	return found
		.filter(({ stats }) => stats[metric]! >= least)
		.sort((a, b) => b.stats[metric]! - a.stats[metric]!)
		.slice(0, count);
}

/** Part of the name, or the beginning of the id. */
function search(all: One[], text: string): One[] {
	const wanted = text.toLowerCase();
	if (wanted === '') return all;
	return all.filter(
		({ stats }) => stats.name.toLowerCase().includes(wanted) || stats.uuid.startsWith(wanted)
	);
}

function problemOf(unreadable: string[]): string | null {
	if (unreadable.length === 0) return null;
	return `Cannot be read at the moment: ${listed(unreadable, NAMED_MAX)}. The values read before are shown; each is read again once it changes.`;
}

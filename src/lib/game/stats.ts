import { duration } from '$lib/schemas/plain/words/duration';
import { compact, grouped, UNKNOWN } from '$lib/ui/format/format';
import { METRIC_GROUPS, type MetricGroup, type StatMetric } from '$lib/schemas/plain/stat-metrics';
import type { BoardQuery } from '$lib/schemas/stats';

export const GROUP_LABELS: Record<MetricGroup, string> = {
	time: 'Time',
	combat: 'Combat',
	world: 'World',
	exploration: 'Exploration',
	progression: 'Progression',
	economy: 'Economy'
};
export const GROUPS = Object.entries(METRIC_GROUPS) as [MetricGroup, readonly StatMetric[]][];

type Unit = 'time' | 'health' | 'way' | 'ratio' | 'count';
type Label = {
	word: string;
	unit?: Unit;
	/** What it counts, in one short line, where the label alone does not say. */
	about?: string;
	/** Known only for the time that the dashboard has watched. */
	sampled?: true;
};

const TRIPS = 'The advancement counts as one; others only if they were seen while Craftwarden ran.';

export const METRIC_LABELS: Record<StatMetric, Label> = {
	playtime: {
		word: 'Playtime',
		unit: 'time',
		about: 'Time on the server, as the game itself counts it.'
	},
	longestLife: {
		word: 'Longest life',
		unit: 'time',
		sampled: true,
		about: 'Playtime between two deaths: of the present life, or one seen while Craftwarden ran.'
	},
	mobKills: { word: 'Mob kills' },
	playerKills: { word: 'Player kills' },
	deaths: { word: 'Deaths' },
	kdRatio: {
		word: 'K/D',
		unit: 'ratio',
		about: 'Player kills divided by deaths; without a death, the player kills.'
	},
	damageDealt: { word: 'Damage dealt', unit: 'health', about: 'Health points: two make a heart.' },
	damageTaken: { word: 'Damage taken', unit: 'health', about: 'Health points: two make a heart.' },
	blocksMined: { word: 'Blocks mined' },
	itemsUsed: { word: 'Items used', about: 'Blocks that were placed count too.' },
	itemsCrafted: { word: 'Items crafted' },
	itemsPickedUp: { word: 'Items picked up' },
	uniqueItemsPickedUp: { word: 'Different items', about: 'Different items that were picked up.' },
	chestsOpened: { word: 'Chests opened', about: 'Plain chests: no barrels, no ender chests.' },
	distance: {
		word: 'Distance',
		unit: 'way',
		about: 'Every way of moving, including falling and climbing.'
	},
	netherTrips: { word: 'Nether trips', sampled: true, about: TRIPS },
	endTrips: { word: 'End trips', sampled: true, about: TRIPS },
	advancements: { word: 'Advancements', about: 'Without those that unlock recipes.' },
	recipesUnlocked: { word: 'Recipes unlocked' },
	villagerTrades: { word: 'Villager trades', about: 'Trades with wandering traders count too.' },
	fishCaught: { word: 'Fish caught', about: 'Junk and treasure count too.' },
	animalsBred: { word: 'Animals bred' }
};

const MINUTE_S = 60;
const HOUR_S = 3600;
const KM = 1000;

/** In whole minutes: `42 min`, `5 h 20 min`, `3 d 4 h`. */
export function hours(seconds: number): string {
	const minutes = Math.round(seconds / MINUTE_S);
	return minutes === 0 ? '0 min' : duration(minutes * MINUTE_S * 1000);
}

const SHORT: Record<Unit, (value: number) => string> = {
	time: hours,
	health: (value) => `${compact(value)} HP`,
	way: (metres) =>
		Math.round(metres) < KM ? `${Math.round(metres)} m` : `${compact(metres / KM)} km`,
	ratio: (value) => (value < 100 ? value.toFixed(2) : compact(value)),
	count: compact
};
const EXACT: Record<Unit, (value: number) => string> = {
	time: (seconds) => `${grouped(seconds / HOUR_S)} hours`,
	health: (value) => `${grouped(value)} HP`,
	way: (metres) => `${grouped(metres)} m`,
	ratio: grouped,
	count: grouped
};

const unitOf = (metric: StatMetric) => METRIC_LABELS[metric].unit ?? 'count';
/** A dash when unknown; `1.2k`, `3.4M`, `850 HP`, `12.5 km`, `3 d 4 h`. */
export const shortStat = (metric: StatMetric, value: number | null) =>
	value === null ? UNKNOWN : SHORT[unitOf(metric)](value);
/** With all digits, for hovers. */
export const exactStat = (metric: StatMetric, value: number | null) =>
	value === null ? 'Not known' : EXACT[unitOf(metric)](value);

export function boardAddress({ metric, show, q, page }: BoardQuery): string {
	const query = new URLSearchParams({ metric });
	if (show === 'all') query.set('show', show);
	if (q !== '') query.set('q', q);
	if (page > 1) query.set('page', String(page));
	return `/admin/stats?${query}`;
}

/** `minecraft:oak_log` is an oak log; for a mod's ids, the last part. */
export function thingWord(id: string): string {
	const word = id
		.slice(id.indexOf(':') + 1)
		.split('/')
		.at(-1)!
		.replace(/[_.-]+/g, ' ')
		.trim();
	return word === '' ? id : word[0]!.toUpperCase() + word.slice(1);
}
/** The mod that it belongs to; null for the game itself. */
export function thingOwner(id: string): string | null {
	const owner = id.slice(0, Math.max(0, id.indexOf(':')));
	return owner === 'minecraft' || owner === '' ? null : owner;
}

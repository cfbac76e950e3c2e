/** The leaderboard's metrics by group, in the order in which they are shown. */
export const METRIC_GROUPS = {
	time: ['playtime', 'longestLife'],
	combat: ['mobKills', 'playerKills', 'deaths', 'kdRatio', 'damageDealt', 'damageTaken'],
	world: [
		'blocksMined',
		'itemsUsed',
		'itemsCrafted',
		'itemsPickedUp',
		'uniqueItemsPickedUp',
		'chestsOpened'
	],
	exploration: ['distance', 'netherTrips', 'endTrips'],
	progression: ['advancements', 'recipesUnlocked'],
	economy: ['villagerTrades', 'fishCaught', 'animalsBred']
} as const;
export type MetricGroup = keyof typeof METRIC_GROUPS;
export type StatMetric = (typeof METRIC_GROUPS)[MetricGroup][number];
export const STAT_METRICS = Object.values(METRIC_GROUPS).flat() as StatMetric[];

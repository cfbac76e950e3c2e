import { benchAnalytics } from './analytics.ts';
import { benchBackups } from './backups.ts';
import type { Bench } from './bench.ts';
import { benchLive } from './live.ts';
import { benchLogs } from './logs.ts';
import type { Row } from './measure.ts';
import { benchMixed, benchMixedFull } from './mixed.ts';
import { benchMods } from './mods.ts';
import { benchPages } from './pages.ts';
import { benchPreview } from './preview.ts';
import { benchRequests } from './requests.ts';
import { benchRest } from './rest.ts';
import { benchStats } from './stats.ts';
import { benchSnapshots } from './snapshots.ts';
import { benchStart } from './startup.ts';
import { benchTrials } from './trials.ts';
import { benchUpgrades } from './upgrades.ts';

type Part = {
	run: (bench: Bench) => Promise<Row[]>;
	/** Takes minutes: only when it is named. */
	slow?: true;
};

/** In the order in which they run. */
export const PARTS: Record<string, Part> = {
	startup: { run: benchStart },
	requests: { run: benchRequests },
	pages: { run: benchPages },
	preview: { run: benchPreview },
	live: { run: benchLive },
	logs: { run: benchLogs },
	mixed: { run: benchMixed },
	'mixed-full': { run: benchMixedFull, slow: true },
	mods: { run: benchMods, slow: true },
	trials: { run: benchTrials, slow: true },
	upgrades: { run: benchUpgrades, slow: true },
	snapshots: { run: benchSnapshots, slow: true },
	backups: { run: ({ dashboard }) => benchBackups(dashboard), slow: true },
	analytics: { run: benchAnalytics, slow: true },
	stats: { run: benchStats, slow: true },
	rest: { run: benchRest, slow: true }
};

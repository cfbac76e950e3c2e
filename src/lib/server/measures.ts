import path from 'node:path';
import type { Bus } from './core/bus.ts';
import type { Clock } from './core/clock.ts';
import type { Logger } from './core/log.ts';
import type { Env } from './env.ts';
import type { Fact } from './events.ts';
import type { TickRates } from './minecraft/tps.ts';
import { createUsage } from './minecraft/usage.ts';
import { createAnalytics } from './services/analytics/index.ts';
import type { Power } from './services/power/index.ts';
import type { SettingsService } from './services/settings.ts';
import { runKey } from './services/status/run.ts';
import type { StatusService } from './services/status.ts';
import { createMetricEvents } from './storage/metric-events.ts';
import { createMetrics } from './storage/metrics.ts';

type Deps = {
	clock: Clock;
	log: Logger;
	bus: Bus<Fact>;
	power: Pick<Power, 'observe'>;
	status: Pick<StatusService, 'get'>;
	settings: Pick<SettingsService, 'get'>;
	ticks: TickRates;
};

/** What is measured of the server, and the files it is kept in. */
export function createMeasures(env: Env, deps: Deps) {
	const { clock, log, bus, power, status, settings, ticks } = deps;
	const file = (name: string) => path.join(env.dataDir, name);
	const usage = createUsage({ clock });
	return createAnalytics({
		metrics: createMetrics(file('metrics.jsonl')),
		events: createMetricEvents(file('metric-events.jsonl')),
		observe: power.observe,
		usage: usage.read,
		status: status.get,
		ticks: ticks.ask,
		runKey,
		retentionDays: async () => (await settings.get()).metricsRetentionDays,
		subscribe: bus.subscribe,
		clock,
		log
	});
}

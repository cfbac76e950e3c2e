import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Bus } from '#core/bus';
import type { Clock } from '#core/clock';
import type { Logger } from '#core/log';
import type { ServerConfig } from '#env';
import type { AppEvent } from '../events.ts';
import type { TickRates } from '#minecraft/tps';
import { readHeapLimit, type Installation } from '#minecraft/folder';
import type { Runtime } from '#runtime';
import { createAnalytics } from '#services/analytics';
import type { Power } from '#services/power';
import type { SettingsService } from '#services/settings';
import type { StatusService } from '#services/status';
import { createMetricEvents, createMetrics, withRecent } from '#storage/metrics';

type Deps = {
	clock: Clock;
	log: Logger;
	bus: Bus<AppEvent>;
	power: Pick<Power, 'observe'>;
	status: Pick<StatusService, 'get'>;
	settings: Pick<SettingsService, 'get'>;
	ticks: TickRates;
	runtime: Pick<Runtime, 'usage'>;
	installation: () => Promise<Pick<Installation, 'command'>>;
};

/** What is measured of the server, and the files it is kept in. */
export function wireAnalytics(config: ServerConfig, deps: Deps) {
	const { clock, log, bus, power, status, settings, ticks, runtime, installation } = deps;
	const file = (name: string) => path.join(config.dataDir, name);
	const analytics = createAnalytics({
		metrics: withRecent(createMetrics(file('metrics.jsonl')), () => clock.now().getTime()),
		events: createMetricEvents(file('metric-events.jsonl')),
		observe: power.observe,
		usage: runtime.usage,
		status: status.get,
		ticks: ticks.ask,
		retentionDays: async () => (await settings.get()).metricsRetentionDays,
		limits: async () => ({
			cores: availableParallelism(),
			heap: await installation().then(
				({ command }) => readHeapLimit(config.serverDir, command?.argv ?? []),
				// The folder cannot be read, which other pages say.
				() => null
			)
		}),
		subscribe: bus.subscribe,
		clock,
		log
	});
	bus.subscribe(({ type }) => {
		if (type === 'server-changed') analytics.changed();
	});
	return analytics;
}

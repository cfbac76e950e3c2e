import path from 'node:path';
import type { Role } from '#schemas/common';
import type { Bus } from '#core/bus';
import type { Clock } from '#core/clock';
import { lastLines } from '#core/files';
import type { Logger } from '#core/log';
import type { ServerConfig } from '#env';
import type { AppEvent } from '../events.ts';
import type { Audit } from '#services/audit';
import type { Power } from '#services/power';
import { readRuns, RUNS_FILE, writeRun, type Runner } from '#services/schedule';
import type { SettingsService } from '#services/settings';
import type { StatusService } from '#services/status';
import { createTriggers, NO_TRIGGERS, TRIGGERS_VERSION, TriggersState } from '#services/triggers';
import { createStateFile } from '#storage/state-file';

type Needs = {
	clock: Clock;
	log: Logger;
	bus: Bus<AppEvent>;
	audit: Audit;
	power: Pick<Power, 'observe'>;
	status: Pick<StatusService, 'get'>;
	settings: Pick<SettingsService, 'get'>;
	runner: Pick<Runner, 'run'>;
	/** The current role of an account. */
	roleOfAccount: (name: string) => Role | null;
};

const RUNS_READ = 200;

/** What is done when something happens to the server. */
export function wireTriggers(config: ServerConfig, needs: Needs) {
	const { clock, log, bus, power, status, settings } = needs;
	const triggers = createTriggers({
		...{ clock, log },
		store: createStateFile({
			file: path.join(config.dataDir, 'triggers.json'),
			schema: TriggersState,
			version: TRIGGERS_VERSION,
			defaults: NO_TRIGGERS,
			warn: log.warn
		}),
		run: needs.runner.run,
		left: (run) => writeRun(config.logDir, run),
		runs: async () => readRuns(await lastLines(path.join(config.logDir, RUNS_FILE), RUNS_READ)),
		roleOf: needs.roleOfAccount,
		restartsAnyway: async () => (await settings.get()).autoRestart,
		async look(wide) {
			const { state, readyAt, endedAt, run } = await power.observe();
			const seen = wide && run ? await status.get() : null;
			const { online, names } = seen?.players ?? { online: null, names: null };
			const players = online === null ? null : { online, names };
			return { state, readyAt, endedAt, players, tps: seen?.tps ?? null };
		},
		audit: needs.audit.record
	});
	const unsubscribe = bus.subscribe((event) => {
		if (event.type === 'server-changed') triggers.changed();
		if (event.type === 'operation') triggers.heard(event.summary);
	});
	return {
		triggers,
		close() {
			unsubscribe();
			return triggers.close();
		}
	};
}

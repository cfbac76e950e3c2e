import type { Bus } from '#core/bus';
import type { Clock } from '#core/clock';
import type { Outage } from '#core/log';
import { createTtlCache } from '#core/ttl-cache';
import type { ServerConfig } from '#env';
import type { AppEvent } from '../events.ts';
import { RECENT_MS, type Game } from './game.ts';
import { createAttention, type Unwritten } from '#services/attention';
import type { Analytics } from '#services/analytics';
import type { Audit } from '#services/audit';
import type { BackupDuties } from '#services/backups';
import type { Power } from '#services/power';
import { createFirstRun, type Setup } from '#services/setup';

type Needs = {
	clock: Clock;
	bus: Bus<AppEvent>;
	audit: Pick<Audit, 'outage'>;
	measures: Pick<Analytics, 'outage'>;
	game: Game;
	power: Power;
	setup: Setup;
	concerns: BackupDuties['concerns'];
};

/** What needs attention: what is missing for a first start, and what has gone wrong. */
export function wireAttention(config: ServerConfig, needs: Needs) {
	const { clock, bus, audit, measures, game, power, setup, concerns } = needs;
	const observe = createTtlCache(power.observe, RECENT_MS, clock);
	bus.subscribe(({ type }) => {
		if (type === 'server-changed') observe.forget();
	});
	const firstRun = createFirstRun({
		installation: game.recently,
		observe,
		setup,
		serverDir: config.serverDir
	});
	const worldCheck = createTtlCache(game.checkWorld, RECENT_MS, clock);
	const attention = createAttention({
		installation: game.recently,
		observe,
		worldRefusal: async () => (await worldCheck()).refusal,
		missing: firstRun.open,
		asRoot: process.getuid?.() === 0,
		demo: config.demo,
		unwritten: () => unwrittenNow(audit.outage, measures.outage),
		concerns
	});
	return { firstRun, attention };
}

const unwrittenNow = (audit: Outage['now'], measures: Outage['now']): Unwritten[] => [
	...(audit ? [{ what: 'the audit log', ...audit }] : []),
	...(measures ? [{ what: 'the measurements', ...measures }] : [])
];

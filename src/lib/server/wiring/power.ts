import { hostname } from 'node:os';
import path from 'node:path';
import type { Bus } from '#core/bus';
import type { Clock } from '#core/clock';
import type { Lock } from '#core/lock';
import { createMask, type Logger, type Mask } from '#core/log';
import type { Outage } from '#core/outage';
import { createTtlCache } from '#core/ttl-cache';
import type { prepareDemo } from './demo.ts';
import type { Env } from '#env';
import type { AppEvent } from '../events.ts';
import { RECENT_MS, type Game } from './game.ts';
import { parseList } from '#minecraft/commands';
import { diagnose, READY_LINE, type Diagnosis, type LastWords } from '#minecraft/diagnosis';
import { acceptEula, editServerProperties } from '#minecraft/folder';
import { createLogMask } from '#minecraft/mask';
import { plainText, stripCodes } from '#minecraft/text';
import { createTickRates } from '#minecraft/tps';
import { createAttention, type Unwritten } from '#services/attention';
import type { Audit } from '#services/audit';
import type { BackupDuties } from '#services/backups';
import { createFirstRun, createSetup } from '#services/setup';
import { OperationFailure, type Operations } from '#operations';
import { createPower } from '#services/power';
import type { SettingsService } from '#services/settings';
import { createStatus } from '#services/status';

type Needs = {
	clock: Clock;
	log: Logger;
	bus: Bus<AppEvent>;
	audit: Audit;
	game: Game;
	operations: Operations;
	settings: SettingsService;
	secrets: string[];
	demo: Awaited<ReturnType<typeof prepareDemo>> | null;
	concerns: BackupDuties['concerns'];
	/** Null while measurements can be written. */
	measuresOutage: () => Outage['now'];
	/** The operations' lock, in a connection of the setup alone. */
	lock: Lock;
	/** The server's state is another than before. */
	changed: () => void;
};

/** The one server: whether and how it runs, what it takes to run it, and what about it wants a person. */
export function wirePower(env: Env, needs: Needs) {
	const { clock, log, bus, audit, game, operations, settings, secrets, demo } = needs;
	const { dataDir, serverDir } = env;
	const { installation, rcon } = game;

	const power = createPower({
		...game,
		words: masked(game.words, async () =>
			createMask([...secrets, (await installation()).rcon.password ?? ''])
		),
		operations,
		isReady: (line) => READY_LINE.test(line),
		diagnose: (left) => withoutAddresses(diagnose(left)),
		failure: (cause) => new OperationFailure(cause),
		settings: settings.get,
		audit: audit.record,
		changed() {
			observedRecently.forget();
			status.invalidate();
			needs.changed();
			void applyQueued();
		},
		beforeLaunch: () => applyQueued(true),
		...(demo && { patience: demo.patience }),
		log,
		clock,
		dataDir,
		verifyTimeoutMs: env.verifyTimeoutMs
	});
	const observedRecently = createTtlCache(power.observe, RECENT_MS, clock);
	const ticks = createTickRates({ ...game, clock });
	const status = createStatus({
		observe: power.observe,
		installation: game.recently,
		probed: power.probed,
		ping: game.ping,
		rcon,
		ticks: ticks.ask,
		parse: { text: plainText, list: parseList },
		names: {
			server: env.serverName,
			address: env.serverAddress,
			folder: path.basename(serverDir),
			host: env.demo ? 'localhost' : hostname()
		},
		publish: bus.publish,
		log,
		clock
	});
	const setup = createSetup({
		dataDir,
		isStopped: async () => (await power.observe()).process === null,
		lock: needs.lock,
		written: game.forget,
		edit: (changes) => editServerProperties(serverDir, changes),
		acceptEula: () => acceptEula(serverDir),
		audit: audit.record
	});
	const applyQueued = (locked = false) =>
		setup
			.applyQueued(locked)
			.catch((cause) => log.error('What was queued could not be written', { cause }));
	// While an operation runs it holds the lock that writing needs.
	bus.subscribe((fact) => {
		if (fact.type === 'operation' && fact.summary.state !== 'running') void applyQueued();
	});
	const firstRun = createFirstRun({
		installation: game.recently,
		observe: observedRecently,
		setup,
		serverDir
	});
	const attention = createAttention({
		installation: game.recently,
		observe: observedRecently,
		missing: firstRun.open,
		asRoot: process.getuid?.() === 0,
		demo: env.demo,
		unwritten: () => unwrittenNow(audit.outage, needs.measuresOutage()),
		concerns: needs.concerns
	});
	return { power, ticks, status, setup, firstRun, attention, applyQueued };
}

const unwrittenNow = (audit: Outage['now'], measures: Outage['now']): Unwritten[] => [
	...(audit ? [{ what: 'the audit log', ...audit }] : []),
	...(measures ? [{ what: 'the measurements', ...measures }] : [])
];

const addresses = createLogMask({ secrets: [], addresses: true });
/** Whose message is made of the game's own words; others name versions, which look like addresses. */
const QUOTING: readonly Diagnosis['code'][] = ['crash', 'unknown'];

/** Admins see it too, and it is kept once for all. */
const withoutAddresses = (found: Diagnosis): Diagnosis => ({
	...found,
	log: found.log.map((line) => addresses.text(line)),
	message: QUOTING.includes(found.code) ? addresses.text(found.message) : found.message
});

/** What the game leaves behind is shown to people: without any secret that is known at that moment. */
function masked(words: LastWords, mask: () => Promise<Mask>): LastWords {
	// As it is shown: a code inside a secret must not hide it.
	const masking = async (lines: string[]) => {
		const hide = await mask();
		return lines.map((line) => hide(stripCodes(line)));
	};
	return {
		mark: words.mark,
		has: words.has,
		log: async (run) => masking(await words.log(run)),
		output: async (run) => masking(await words.output(run)),
		async crashReport(run) {
			const text = await words.crashReport(run);
			return text && (await mask())(stripCodes(text));
		}
	};
}

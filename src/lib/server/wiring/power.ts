import path from 'node:path';
import type { Bus } from '#core/bus';
import type { Clock } from '#core/clock';
import { createMask, type Logger, type Mask } from '#core/log';
import type { prepareDemo } from './demo/demo.ts';
import type { ServerConfig } from '#env';
import type { AppEvent } from '../events.ts';
import type { Game } from './game.ts';
import { diagnose, READY_LINE, type Diagnosis, type CrashEvidence } from '#minecraft/diagnosis';
import { createLogMask } from '#minecraft/mask';
import { stripCodes } from '#minecraft/text';
import type { Audit } from '#services/audit';
import { OperationFailure, type Operations } from '#operations';
import { BootHistory, createPower } from '#services/power';
import type { SettingsService } from '#services/settings';
import { createStateFile } from '#storage/state-file';

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
	holdMs: number;
	/** The game is about to be started, under the operation's lock. */
	beforeLaunch: () => Promise<void>;
};

/** Whether and how the server runs. */
export function wirePower(config: ServerConfig, needs: Needs) {
	const { clock, log, bus, audit, game, operations, settings, secrets, demo, holdMs } = needs;
	return createPower({
		...game,
		evidence: masked(game.evidence, async () =>
			createMask([...secrets, (await game.installation()).rcon.password ?? ''])
		),
		shown,
		operations,
		isReady: (line) => READY_LINE.test(line),
		diagnose: (left) => withoutAddresses(diagnose(left)),
		failure: (cause) => new OperationFailure(cause),
		settings: settings.get,
		audit: audit.record,
		changed: () => bus.publish({ type: 'server-changed' }),
		gaveUp: (words, endedAt) => bus.publish({ type: 'gave-up', words, endedAt }),
		announced: (text) => bus.publish({ type: 'announced', text }),
		beforeLaunch: needs.beforeLaunch,
		patience: { holdMs, ...demo?.patience },
		log,
		clock,
		dataDir: config.dataDir,
		bootHistory: openBootHistory(config.dataDir, log.warn),
		verifyTimeoutMs: config.verifyTimeoutMs
	});
}

export const openBootHistory = (dataDir: string, warn: (message: string) => void) =>
	createStateFile({
		...{ file: path.join(dataDir, 'start-times.json'), schema: BootHistory, version: 1 },
		...{ defaults: { readyMs: [] }, warn }
	});

const addresses = createLogMask({ secrets: [], addresses: true });
const shown = (lines: string[]) => lines.map((line) => addresses.text(line));
/** Those whose message quotes the game; others contain versions, which look like addresses. */
const QUOTING: readonly Diagnosis['code'][] = ['crash', 'unknown'];

/** Admins see it too, and one copy serves all. */
const withoutAddresses = (found: Diagnosis): Diagnosis => ({
	...found,
	log: shown(found.log),
	message: QUOTING.includes(found.code) ? addresses.text(found.message) : found.message
});

/** What the game leaves behind is shown to people: without any secret that is known at that moment. */
function masked(evidence: CrashEvidence, mask: () => Promise<Mask>): CrashEvidence {
	// In its displayed form: a code inside a secret must not hide it.
	const masking = async (lines: string[]) => {
		const hide = await mask();
		return lines.map((line) => hide(stripCodes(line)));
	};
	return {
		mark: evidence.mark,
		has: evidence.has,
		log: async (run) => masking(await evidence.log(run)),
		output: async (run) => masking(await evidence.output(run)),
		async crashReport(run) {
			const text = await evidence.crashReport(run);
			return text && (await mask())(stripCodes(text));
		}
	};
}

import type { CommandList, KnownCommand } from '#schemas/console';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { createTtlMap } from '#core/ttl-cache';
import type { Rcon } from '#minecraft/rcon';
import { COMMON } from './common-commands.ts';

type Deps = {
	rcon: Pick<Rcon, 'command'>;
	currentRun: () => Promise<string | null>;
	parseHelp: (answer: string) => KnownCommand[];
	/** Without codes and secrets. */
	plain: (answer: string) => Promise<string>;
	clock: Pick<Clock, 'monotonicMs'>;
};

/** Nobody's command should wait behind it for long. */
const TIMEOUT_MS = 2_000;
/** A server that gives no list is not asked again for this long. */
const AGAIN_MS = 30_000;
/** A mod may write what it likes into it. */
const ANSWER_MAX_CHARS = 128 * 1024;
const FALLBACK: CommandList = { commands: COMMON, fromServer: false };

export function createCommandList({ rcon, currentRun, parseHelp, plain, clock }: Deps) {
	const answered = createTtlMap<string, KnownCommand[]>({ ttlMs: Infinity, max: 1, clock });
	const inVain = createTtlMap<string, true>({ ttlMs: AGAIN_MS, max: 1, clock });

	async function ask() {
		const answer = await rcon.command('help', { timeoutMs: TIMEOUT_MS, repeatable: true });
		return parseHelp(await plain(answer.slice(0, ANSWER_MAX_CHARS)));
	}

	return async (): Promise<CommandList> => {
		const run = await currentRun();
		if (run === null || inVain.get(run)) return FALLBACK;
		try {
			const commands = await answered.load(run, ask);
			if (commands.length) return { commands, fromServer: true };
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			// Whether it takes commands by now is known at once.
			if (error.kind === 'offline') return FALLBACK;
		}
		answered.forget(run);
		inVain.set(run, true);
		return FALLBACK;
	};
}

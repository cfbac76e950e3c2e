import type { AuditAction } from '#schemas/audit';
import { isRefusedByGame } from '#schemas/plain/words/refused-by-game';
import type { CommandList, ConsoleAnswer, KnownCommand, Span } from '#schemas/console';
import type { Actor } from '#core/actor';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Rcon } from '#minecraft/rcon';
import { createCommandList } from './command-list.ts';

/** The server's own console, which allows everything. */
export interface Console {
	/**
	 * Runs one command, with or without the slash, and gives the answer, at most 100 kB of it. Every one is in the audit
	 * log when it resolves. AppError `offline`: nothing ran; `timeout` with code `outcome-unknown`: it may have run;
	 * `invalid`, `busy`: nothing was sent.
	 */
	run(command: string, by: Actor): Promise<ConsoleAnswer>;
	/** The commands of the running server, which is asked once per run; those of every game while it does not say. */
	commands(): Promise<CommandList>;
}

type Deps = {
	rcon: Pick<Rcon, 'command'>;
	/** Names the run of the server; null while none is seen. */
	currentRun: () => Promise<string | null>;
	/** The commands in an answer to `help`. */
	parseHelp: (answer: string) => KnownCommand[];
	/** Around a command that ends the server: puts that down to whoever sends it. */
	stoppedBy: <T>(by: Actor, send: () => Promise<T>) => Promise<T>;
	/** The game's text in pieces that are safe to show. */
	spans: (text: string) => Span[];
	/** A command has run, or may have run: what is known of the server may be out of date. */
	ran: () => void;
	/** With known secrets hidden. */
	mask: (text: string) => string | Promise<string>;
	audit: (
		by: Actor,
		action: AuditAction,
		facts: { subject: string; result: 'done' | 'refused' | 'failed'; detail: string | null }
	) => Promise<void>;
	clock: Pick<Clock, 'monotonicMs'>;
};

/** A command runs on the server's main thread, after whatever that is doing. */
const TIMEOUT_MS = 15_000;
const OUTPUT_MAX_CHARS = 100 * 1024;
/** The audit log keeps this much of one text; a longer command continues in `detail`. */
const SUBJECT_MAX = 500;
const REFUSED = 'The game refused it.';

export function createConsole(deps: Deps): Console {
	const { rcon, stoppedBy, spans, mask, audit, ran } = deps;
	const plain = async (text: string) =>
		spans(await mask(text))
			.map((span) => span.text)
			.join('');
	async function record(
		by: Actor,
		command: string,
		result: 'done' | 'refused' | 'failed',
		why = ''
	) {
		const text = await mask(command);
		const rest = text.slice(SUBJECT_MAX);
		const detail = [rest && `… ${rest}`, why].filter(Boolean).join(' · ') || null;
		await audit(by, 'console.command', { subject: text.slice(0, SUBJECT_MAX), result, detail });
	}

	return {
		commands: createCommandList({ ...deps, plain }),
		async run(command, by) {
			const line = withoutSlash(command);
			const send = () => rcon.command(line, { timeoutMs: TIMEOUT_MS });
			const answer = await (line === 'stop' ? stoppedBy(by, send) : send())
				.finally(ran)
				.catch(async (error) => {
					const isRefused = error instanceof AppError && error.kind === 'invalid';
					const why = error instanceof AppError ? error.message : 'The dashboard failed.';
					await record(by, command, isRefused ? 'refused' : 'failed', why);
					throw error;
				});
			const told = cut(await mask(answer), spans);
			if (isRefusedByGame(told.output)) await record(by, command, 'refused', REFUSED);
			else await record(by, command, 'done');
			return told;
		}
	};
}

/** Old servers do not know a command with the slash. `//wand` is a command of its own whose name begins with one. */
const withoutSlash = (command: string) => command.trim().replace(/^\/(?!\/)/, '');

function cut(answer: string, spansOf: Deps['spans']): ConsoleAnswer {
	const truncated = answer.length > OUTPUT_MAX_CHARS;
	const kept = truncated ? answer.slice(0, OUTPUT_MAX_CHARS).toWellFormed() : answer;
	const mark = `\n… cut: the answer has ${answer.length} characters`;
	const spans = [...spansOf(kept), ...(truncated ? [{ text: mark }] : [])];
	return { output: spans.map(({ text }) => text).join(''), spans, truncated };
}

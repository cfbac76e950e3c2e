import type { Exit, ExitStatus } from './runtime.ts';

/** Java's exit codes after SIGINT and SIGTERM, to which it responds with an orderly end. */
const ORDERLY_CODES = [0, 130, 143];
const ORDERLY_SIGNALS = ['SIGINT', 'SIGTERM'];
/** The exit code of a shell whose child was killed. */
const KILLED_CODE = 137;

/** What an exit status alone says. The log knows more: after a crash the game may end with code 0. */
export function causeOfExit({ code, signal }: ExitStatus): Exit['cause'] {
	if (signal === 'SIGKILL' || code === KILLED_CODE) return 'killed';
	if (signal !== null) return ORDERLY_SIGNALS.includes(signal) ? 'clean' : 'crash';
	if (code === null) return 'unknown';
	return ORDERLY_CODES.includes(code) ? 'clean' : 'crash';
}

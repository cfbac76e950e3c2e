import { causeOfExit } from '../exit.ts';
import type { Exit, Phase } from '../runtime.ts';

export const PROPERTIES = [
	'LoadState',
	'ActiveState',
	'SubState',
	'FreezerState',
	'Result',
	'Restart',
	'MainPID',
	'ExecMainCode',
	'ExecMainStatus',
	'ExecMainStartTimestamp',
	'ExecMainExitTimestamp',
	'NRestarts',
	'InvocationID',
	'MemoryCurrent',
	'MemoryMax',
	'CPUUsageNSec',
	'TimeoutStopUSec'
] as const;

/** What `systemctl show` printed: systemd's own values, empty where it has none. */
export type Unit = Record<(typeof PROPERTIES)[number], string>;

export function parseUnit(stdout: string): Unit {
	const unit = Object.fromEntries(PROPERTIES.map((name) => [name, ''])) as Unit;
	for (const line of stdout.split('\n')) {
		const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
		if (name && Object.hasOwn(unit, name)) unit[name as keyof Unit] = value ?? '';
	}
	return unit;
}

/** The engine's state in our terms; why, in a sentence, where it cannot be determined. */
export function phaseOf(unit: Unit, name: string): { phase: Phase; detail?: string } {
	const { LoadState, ActiveState, SubState, FreezerState } = unit;
	if (LoadState !== 'loaded')
		return unknown(
			LoadState === 'not-found'
				? `systemd knows no unit ${name}. Check SYSTEMD_UNIT and SYSTEMD_SCOPE.`
				: `systemd cannot use ${name}: it is ${LoadState || 'not known'}.`
		);
	if (FreezerState === 'frozen') return { phase: 'paused', detail: `systemd has frozen ${name}.` };
	if (SubState === 'auto-restart' || SubState === 'auto-restart-queued')
		return { phase: 'restarting' };
	switch (ActiveState) {
		case 'active':
		case 'reloading':
		case 'refreshing':
			return Number(unit.MainPID) > 0
				? { phase: 'running' }
				: unknown(`${name} is active but has no main process. It must be a service of the game.`);
		case 'activating':
			return { phase: 'starting' };
		case 'deactivating':
			return { phase: 'stopping' };
		case 'inactive':
			return { phase: 'stopped' };
		case 'failed':
			return hasGivenUp(unit) ? { phase: 'stopped', detail: GIVEN_UP } : { phase: 'stopped' };
		default:
			return unknown(`systemd calls ${name} “${ActiveState}”.`);
	}
}

const GIVEN_UP = 'It ended so often that systemd has given up. Starting it here tries again.';
/** After its own restarts, systemd keeps the result of the last end; only a start by itself says `start-limit-hit`. */
const hasGivenUp = ({ Result, Restart, NRestarts }: Unit) =>
	Result === 'start-limit-hit' ||
	(Restart !== 'no' && Number(NRestarts) > 0 && Result !== 'timeout');

const unknown = (detail: string) => ({ phase: 'unknown' as const, detail });

/** How this invocation's run ended, from systemd's own result. */
export function exitOf(unit: Unit, now: Date): Exit {
	const { Result, ExecMainCode, ExecMainStatus } = unit;
	const at = timeOf(unit.ExecMainExitTimestamp) ?? now.toISOString();
	const status = statusOf(ExecMainCode, ExecMainStatus);
	const special = SPECIAL[Result];
	if (special) return { ...status, at, ...special };
	if (Result === 'success') return { ...status, at, cause: 'clean' };
	return { ...status, at, cause: causeOfExit(status) };
}

const SPECIAL: Record<string, Pick<Exit, 'cause' | 'words'> | undefined> = {
	'oom-kill': { cause: 'oom', words: 'The machine or its limit ran out of memory.' },
	'core-dump': { cause: 'crash', words: 'Its program crashed and left a core dump.' },
	timeout: { cause: 'killed', words: 'It did not end within TimeoutStopSec: systemd killed it.' },
	watchdog: { cause: 'killed', words: 'It no longer told systemd that it lives.' },
	'start-limit-hit': { cause: 'crash', words: GIVEN_UP }
};

/** `CLD_EXITED`, `CLD_KILLED`, `CLD_DUMPED`; the journal writes the words. */
export function statusOf(code: string, status: string): Pick<Exit, 'code' | 'signal'> {
	const number = Number(status);
	if (code === '1' || code === 'exited') return { code: number, signal: null };
	if (code === '2' || code === '3' || code === 'killed' || code === 'dumped')
		return { code: null, signal: SIGNALS[number] ?? signalName(status) };
	return { code: null, signal: null };
}

const SIGNALS: Record<number, string | undefined> = {
	1: 'SIGHUP',
	2: 'SIGINT',
	3: 'SIGQUIT',
	4: 'SIGILL',
	6: 'SIGABRT',
	7: 'SIGBUS',
	8: 'SIGFPE',
	9: 'SIGKILL',
	11: 'SIGSEGV',
	13: 'SIGPIPE',
	15: 'SIGTERM'
};
const signalName = (status: string) =>
	/^[A-Z]+\d*$/.test(status) ? `SIG${status.replace(/^SIG/, '')}` : `signal ${status}`;

/**
 * `Sun 2026-11-22 20:31:30.123456 UTC` as ISO 8601; null when it never was. Whole seconds are not enough: a run that is
 * started at once would seem older than the crash report of the previous one.
 */
export function timeOf(stamp: string): string | null {
	const [, day, time] = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?) UTC$/.exec(stamp) ?? [];
	return day ? new Date(`${day}T${time}Z`).toISOString() : null;
}

/** Null for `[not set]`, `infinity` and the greatest number, which all mean that there is none. */
export function countOf(value: string): number | null {
	const number = /^\d+$/.test(value) ? Number(value) : NaN;
	return Number.isSafeInteger(number) ? number : null;
}

const UNITS: Record<string, number> = { d: 86400e3, h: 3600e3, min: 60e3, s: 1e3, ms: 1, us: 1e-3 };
/** `1min 30s` in ms; null for `infinity`. */
export function spanOf(value: string): number | null {
	const parts = [...value.matchAll(/(\d+(?:\.\d+)?)(d|h|min|ms|us|s)\b/g)];
	if (parts.length === 0) return null;
	return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!, 0);
}

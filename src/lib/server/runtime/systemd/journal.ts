import { z } from 'zod';
import { parseJson } from '#core/files';
import type { RunResult } from '#core/exec';
import { causeOfExit } from '../exit.ts';
import type { Exit } from '../runtime.ts';
import { statusOf } from './unit.ts';

type Call = (program: string, args: string[]) => Promise<RunResult>;

const LINES = 2000;

/** One of systemd's own messages about a run's end; the rest of the record does not matter here. */
const EndMessage = z.object({
	EXIT_CODE: z.string(),
	EXIT_STATUS: z.string(),
	__REALTIME_TIMESTAMP: z.string().regex(/^\d{10,20}$/)
});

/** How an earlier invocation ended, from the journal; null when it does not say. */
export async function exitFromJournal(call: Call, invocation: string): Promise<Exit | null> {
	const { stdout } = await call('journalctl', [
		...['--quiet', '--no-pager', '-o', 'json', '-n', '50'],
		...[`INVOCATION_ID=${invocation}`, '+', `USER_INVOCATION_ID=${invocation}`]
	]);
	for (const line of stdout.trim().split('\n').reverse()) {
		const message = EndMessage.safeParse(parseJson(line));
		if (!message.success) continue;
		const { EXIT_CODE, EXIT_STATUS, __REALTIME_TIMESTAMP } = message.data;
		const status = statusOf(EXIT_CODE, EXIT_STATUS);
		const at = new Date(Number(__REALTIME_TIMESTAMP) / 1000).toISOString();
		return { ...status, at, cause: causeOfExit(status) };
	}
	return null;
}

/** What the unit's processes have printed since then (ISO 8601), oldest first. */
export async function printedSince(call: Call, unit: string, since: string): Promise<string[]> {
	const seconds = Math.floor(Date.parse(since) / 1000);
	const { stdout } = await call('journalctl', [
		...['--quiet', '--no-pager', '-o', 'cat', '-n', String(LINES)],
		...['--since', `@${seconds}`, '-u', unit]
	]);
	return stdout.split('\n').filter(Boolean);
}

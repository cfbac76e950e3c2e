import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ClientErrorReport } from '#schemas/client-error';
import { Time } from '#schemas/common';
import { escapeControls, type Mask } from '#core/log';

/** What the server itself knows about the sender of a report. */
export type Sender = { userAgent: string | null; address: string | null; account: string | null };

const text = z.string().nullable();

/** One line of the file. */
export const Line = z.object({
	/** By the server's clock. */
	at: Time,
	/** The same for every report of one error. */
	id: z.string(),
	/** How many reports it stands for. */
	count: z.int().positive(),
	message: z.string(),
	kind: text,
	url: text,
	stack: text,
	release: text,
	/** By the browser's clock. */
	reportedAt: text,
	fingerprint: text,
	userAgent: text,
	address: text,
	account: text
});
export type Line = z.infer<typeof Line>;

const USER_AGENT_MAX = 300;
const ADDRESS_MAX = 45;
const ACCOUNT_MAX = 100;
const STACK_LINES_MAX = 40;
/** Stack frames that distinguish errors with the same message. */
const FRAMES = 3;

/** A report as it is stored: masked, without control characters, each field limited in length. */
export function toLine(
	report: ClientErrorReport,
	from: Sender,
	{ at, mask }: { at: Date; mask: Mask }
): Line {
	const oneLine = (value: string | null | undefined, max = Infinity) =>
		value ? escapeControls(mask(value.slice(0, max)).replace(/\s+/g, ' ').trim()) || null : null;
	const message = oneLine(report.message) ?? 'No message';
	const kind = oneLine(report.kind);
	const stack = stackOf(report.stack, mask);
	return {
		at: at.toISOString(),
		id: idOf([kind ?? '', message, ...(stack?.split('\n').slice(0, FRAMES) ?? [])]),
		count: 1,
		message,
		kind,
		url: oneLine(pathOf(report.url)),
		stack,
		release: oneLine(report.release),
		reportedAt: oneLine(report.at),
		fingerprint: oneLine(report.fingerprint),
		userAgent: oneLine(from.userAgent, USER_AGENT_MAX),
		address: oneLine(from.address, ADDRESS_MAX),
		account: oneLine(from.account, ACCOUNT_MAX)
	};
}

/** A query may contain something that somebody typed. */
const pathOf = (url: string | undefined) =>
	url?.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/s, '') ?? null;

function stackOf(stack: string | undefined, mask: Mask): string | null {
	const lines = mask(stack ?? '')
		.split(/\r?\n/, STACK_LINES_MAX)
		.map((line) => escapeControls(line.replaceAll('\t', '  ').trimEnd()));
	return lines.join('\n').trim() || null;
}

/** Different numbers, or a different address of the dashboard, do not make it a different error. */
function idOf(parts: string[]): string {
	const same = parts.map((part) => part.replace(/https?:\/\/[^/\s)]+/g, '').replace(/\d+/g, '#'));
	return createHash('sha256').update(same.join('\n')).digest('hex').slice(0, 16);
}

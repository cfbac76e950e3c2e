import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { createLogFiles } from '#minecraft/log-files';
import {
	createLogReader,
	type PageRequest
} from '../../../src/lib/server/minecraft/logs/reader.ts';
import { createLogMask, type LogMask } from '#minecraft/mask';
import { systemClock, type Clock } from '#core/clock';
import type { LogPage } from '#schemas/log';

export const OPEN: LogMask = createLogMask({ secrets: [], addresses: false });

/** A server's folder with logs in it, and a reader of them. */
export function createLogFolder({ clock = systemClock, budgetMs = 60_000 } = {} as Options) {
	const serverDir = mkdtempSync(path.join(tmpdir(), 'craftwarden-logs-'));
	const logs = path.join(serverDir, 'logs');
	mkdirSync(logs);
	mkdirSync(path.join(serverDir, 'crash-reports'));
	const files = createLogFiles({ serverDir });
	const reader = createLogReader({ files, clock, budgetMs });
	const at = (name: string) =>
		path.join(serverDir, name.endsWith('.txt') ? 'crash-reports' : 'logs', name);

	const page = (request: Partial<PageRequest> = {}, mask = OPEN, signal?: AbortSignal) =>
		reader.page(
			{ file: 'latest.log', lines: 1000, text: '', levels: [], ...request },
			{ mask, signal }
		);

	return {
		serverDir,
		logs,
		at,
		files,
		reader,
		page,
		write(name: string, content: string | Buffer, modifiedAt?: Date) {
			writeFileSync(at(name), name.endsWith('.gz') ? gzipSync(content) : content);
			if (modifiedAt) utimesSync(at(name), modifiedAt, modifiedAt);
		},
		append: (name: string, content: string | Buffer) => appendFileSync(at(name), content),
		/** Every page, from the last to the first, as one. */
		async all(request: Partial<PageRequest> = {}, mask = OPEN) {
			const pages: LogPage[] = [];
			let before: string | undefined;
			do {
				const next = await page({ ...request, ...(before && { before }) }, mask);
				pages.push(next);
				before = next.next ?? undefined;
			} while (before);
			return pages.toReversed().flatMap(({ entries }) => entries);
		},
		remove: () => rmSync(serverDir, { recursive: true, force: true })
	};
}
type Options = { clock?: Clock; budgetMs?: number };
export type LogFolder = ReturnType<typeof createLogFolder>;

/** `[12:00:07] [Server thread/INFO]: text` */
export function logLine(text: string, second = 0, level = 'INFO') {
	const time = [second / 3600, (second / 60) % 60, second % 60]
		.map((part) => String(Math.floor(part)).padStart(2, '0'))
		.join(':');
	return `[${time}] [Server thread/${level}]: ${text}\n`;
}

export const messagesOf = ({ entries }: Pick<LogPage, 'entries'>) =>
	entries.map(({ message }) => message);

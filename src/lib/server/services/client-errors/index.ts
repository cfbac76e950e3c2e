import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type {
	ClientErrorReport,
	ClientErrors as Answer,
	ClientErrorsQuery
} from '#schemas/client-error';
import { addressPrefix } from '#core/net';
import type { Clock } from '#core/clock';
import { PRIVATE_DIR } from '#core/files';
import { escapeControls, type Mask, type Logger, appendRotated } from '#core/log';
import { createAllowance } from './allowance.ts';
import { collect } from './collect.ts';
import { createRepetitions } from './repetitions.ts';
import { toLine, type Line, type Sender } from './line.ts';

/** What went wrong in people's browsers, as reported by their pages. */
export interface ClientErrors {
	/**
	 * Writes it down, counts it as a repetition, or drops it when there are too many. Never throws, whatever the disk
	 * does.
	 */
	report(report: ClientErrorReport, from: Sender): void;
	/** The latest reports grouped by error, newest first; how far it looks back is limited. */
	list(query: ClientErrorsQuery): Promise<Answer>;
	/** Writes down the repetitions that have only been counted so far. */
	close(): void;
}

type Deps = {
	/** `client-errors.jsonl` is in it. */
	dir: string;
	/** The game's logs: a file there is used while the other cannot be written. */
	spareDir: string;
	clock: Clock;
	log: Logger;
	mask: Mask;
	fileMaxBytes?: number;
};

/** For each of the two files and its two older ones, so that the disk is never filled. */
const FILE_MAX_BYTES = 1024 * 1024;

export function createClientErrors(deps: Deps): ClientErrors {
	const { dir, spareDir, clock, log, mask, fileMaxBytes = FILE_MAX_BYTES } = deps;
	const primary = path.join(dir, 'client-errors.jsonl');
	const spare = path.join(spareDir, 'craftwarden-client-errors.jsonl');
	const allowance = createAllowance(clock);
	const repetitions = createRepetitions(clock);
	/** Files whose last line may be torn: by a kill, or by a disk that filled up in the middle of it. */
	const torn = new Set([primary, spare]);
	let failing = false;

	function append(folder: string, file: string, text: string) {
		mkdirSync(folder, { recursive: true, mode: PRIVATE_DIR });
		const whole = torn.has(file) ? `\n${text}` : text;
		torn.add(file);
		appendRotated(file, whole, fileMaxBytes);
		torn.delete(file);
	}

	function write(line: Line) {
		const text = escapeControls(JSON.stringify(line));
		try {
			append(dir, primary, text);
			failing = false;
		} catch (cause) {
			if (!failing)
				log.warn(`Error reports of browsers cannot be written to ${primary}`, { cause });
			failing = true;
			append(spareDir, spare, text);
		}
	}

	const quietly = (act: () => void) => {
		try {
			act();
		} catch {
			// Neither file can be written, which is logged once: a report is never worth an error.
		}
	};

	return {
		report(report, from) {
			quietly(() => {
				if (!allowance.take(addressPrefix(from.address))) return;
				const line = toLine(report, from, { at: clock.now(), mask });
				for (const due of repetitions.add(line)) write(due);
			});
		},
		list: ({ limit }) => collect([primary, spare], repetitions.pending(), limit),
		close() {
			for (const line of repetitions.pending()) quietly(() => write(line));
		}
	};
}

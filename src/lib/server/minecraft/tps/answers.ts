import type { TickReport } from '#minecraft/commands';
import { stripCodes } from '#minecraft/text';

/** The rate that a server aims at; averages a little above it are rounding. */
const MEANT_TPS = 20;
/** Decimal separators follow the machine's language. */
const NUMBER = '(\\d{1,9}(?:[.,]\\d{1,6})?)';

/** Forge, and NeoForge until 1.20.6; three decimals end a line that has no end. 1.12 has a blank before the colon. */
const FORGE = new RegExp(
	`Overall ?: Mean tick time: ${NUMBER} ?ms\\. Mean TPS: (\\d{1,5}(?:[.,]\\d{1,3})?)`,
	'g'
);
/** NeoForge from 1.21 on. */
const NEOFORGE = new RegExp(`Overall: ${NUMBER} TPS \\(${NUMBER} ?ms/tick\\)`, 'g');
/** Paper and Spigot; `*` means that the rate is really higher. Over the last minute. */
const PAPER = /TPS from last 1m, 5m, 15m: ?\*?(\d{1,5}(?:[.,]\d{1,6})?)/g;
/** Paper's `mspt`: mean, least and most of the last 5 s. */
const PAPER_MSPT =
	/Server tick times \(avg\/min\/max\) from last 5s, 10s, 1m:\s*\S?\s*(\d{1,9}(?:[.,]\d{1,6})?)\/\d/g;
const GAME_TIME = /^The (?:game )?time is (\d{1,19})(?: tick\(s\))?$/;

/** Parses the answer of `forge tps` and `neoforge tps` of every version; null when it is not one. */
export function parseModdedTps(answer: string): TickReport | null {
	const text = stripCodes(answer);
	const [old, ...olds] = text.matchAll(FORGE);
	const [young, ...youngs] = text.matchAll(NEOFORGE);
	if (old && !young && olds.length === 0) return report(old[2], old[1]);
	if (young && !old && youngs.length === 0) return report(young[1], young[2]);
	return null;
}

/** Parses the answer of Paper's `tps`; null when it is not one. */
export function parsePaperTps(answer: string): TickReport | null {
	const [found, ...more] = stripCodes(answer).matchAll(PAPER);
	return found && more.length === 0 ? report(found[1], null) : null;
}

/** Parses the answer of Paper's `mspt`; null when it is not one. */
export function parsePaperMspt(answer: string): number | null {
	const [found, ...more] = stripCodes(answer).matchAll(PAPER_MSPT);
	return found && more.length === 0 ? number(found[1]) : null;
}

/** Parses the answer of `time query gametime`, in ticks; null when it is not one. */
export function parseGameTime(answer: string): number | null {
	const found = GAME_TIME.exec(stripCodes(answer).trim());
	return found ? Number(found[1]) : null;
}

const SPARK_TPS = 'TPS from last 5s, 10s, 1m, 5m, 15m:';
const SPARK_TICKS = 'Tick durations (min/med/95%ile/max ms) from last 10s, 1m:';
const SPARK_NUMBERS = /^(?:\[⚡\] ?)?([\d.,*;/ ]{1,200})$/u;

/**
 * Takes the messages of the log lines that follow `spark tps`, one by one; the numbers stand on the line after their
 * heading. `done` once both have come. Words alone cannot tell it from what players write: only lines from spark's
 * own threads may be passed.
 */
export function createSparkReader() {
	let heading: 'tps' | 'mspt' | null = null;
	let tps: number | null = null;
	let mspt: number | null = null;
	return {
		feed(message: string) {
			const text = stripCodes(message);
			if (text.includes(SPARK_TPS)) heading = 'tps';
			else if (text.includes(SPARK_TICKS)) heading = 'mspt';
			else {
				const numbers = SPARK_NUMBERS.exec(text)?.[1]?.trim();
				// Over the last minute, like the others.
				if (numbers && heading === 'tps') tps = number(numbers.replaceAll('*', '').split(/, +/)[2]);
				if (numbers && heading === 'mspt') mspt = number(numbers.split(/; */)[1]?.split('/')[1]);
				heading = null;
			}
		},
		get done() {
			return tps !== null && mspt !== null;
		},
		get report(): TickReport | null {
			return tps === null ? null : { tps: capped(tps), mspt };
		}
	};
}

const number = (text: string | undefined): number | null => {
	const value = Number((text ?? '').trim().replace(/,$/, '').replace(',', '.') || NaN);
	return Number.isFinite(value) && value >= 0 ? value : null;
};
const report = (tps: string | undefined, mspt: string | undefined | null): TickReport | null => {
	const value = number(tps);
	return value === null ? null : { tps: capped(value), mspt: mspt ? number(mspt) : null };
};
export const capped = (tps: number) => Math.round(Math.min(MEANT_TPS, tps) * 100) / 100;

import { readFileSync } from 'node:fs';
import path from 'node:path';

/** What a server can be asked for its tick rate, and how it answers. */
export const TICKS = [
	'vanilla',
	'comma',
	'forge',
	'neoforge-old',
	'neoforge',
	'paper',
	'spark',
	'gametime'
] as const;

export const DEATHS = ['crash', 'watchdog', 'memory'] as const;

/** All switches. Times given by hand are real milliseconds; the defaults are divided by `speed`. */
export type Options = {
	seed: number;
	speed: number;
	bots: number;
	/** Bots never leave of their own accord. */
	stay: boolean;
	bootMs: number;
	saveMs: number;
	exitAfterMs: number | null;
	hangInBoot: boolean;
	/** `modid` or `modid@version` */
	failWithMod: string | null;
	dieAfterReadyMs: number | null;
	dieWithMod: string | null;
	dieAs: (typeof DEATHS)[number];
	ignoreStop: boolean;
	freeze: boolean;
	ticks: (typeof TICKS)[number];
};

const FAULTS_FILE = 'demo-faults.json';
const BOOT_MS = 6000;
const SAVE_MS = 1500;
const BOTS = 6;
const MAX_BOTS = 100;

/** A switch that cannot be understood: the demo refuses to start, so that a test never passes because of a typo. */
export class OptionError extends Error {}

type Reader<T> = (value: unknown, name: string) => T;

const number: Reader<number> = (value, name) => {
	if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
		throw new OptionError(`${name} must be a number of at least 0`);
	return value;
};
const flag: Reader<boolean> = (value, name) => {
	if (typeof value !== 'boolean') throw new OptionError(`${name} must be true or false`);
	return value;
};
const text: Reader<string> = (value, name) => {
	if (typeof value !== 'string' && typeof value !== 'number')
		throw new OptionError(`${name} must be a text`);
	return String(value);
};
const oneOf =
	<T extends string>(words: readonly T[]): Reader<T> =>
	(value, name) => {
		const known = words.find((each) => each === value);
		if (!known) throw new OptionError(`${name} must be one of ${words.join(', ')}`);
		return known;
	};

const READERS: { [K in keyof Options]: Reader<NonNullable<Options[K]>> } = {
	seed: number,
	speed: number,
	bots: number,
	stay: flag,
	bootMs: number,
	saveMs: number,
	exitAfterMs: number,
	hangInBoot: flag,
	failWithMod: text,
	dieAfterReadyMs: number,
	dieWithMod: text,
	dieAs: oneOf(DEATHS),
	ignoreStop: flag,
	freeze: flag,
	ticks: oneOf(TICKS)
};

const variable = (key: string) => `DEMO_${key.replace(/[A-Z]/g, (c) => `_${c}`).toUpperCase()}`;

/** The environment (`DEMO_BOOT_MS`, …) wins over `demo-faults.json` in the server folder. */
export function readOptions(dir: string, env: Record<string, string | undefined>): Options {
	const given: Record<string, unknown> = readFaults(path.join(dir, FAULTS_FILE));
	for (const key of Object.keys(READERS)) {
		const value = env[variable(key)];
		if (value !== undefined && value !== '')
			given[key] = fromEnvironment(key as keyof Options, value);
	}
	const read = <K extends keyof Options>(key: K, fallback: Options[K]): Options[K] => {
		const value = given[key];
		return value === undefined || value === null ? fallback : READERS[key](value, key);
	};
	const speed = read('speed', 1) || 1;
	return {
		seed: read('seed', Math.floor(Math.random() * 2 ** 31)),
		speed,
		bots: Math.min(read('bots', BOTS), MAX_BOTS),
		stay: read('stay', false),
		bootMs: read('bootMs', BOOT_MS / speed),
		saveMs: read('saveMs', SAVE_MS / speed),
		exitAfterMs: read('exitAfterMs', null),
		hangInBoot: read('hangInBoot', false),
		failWithMod: read('failWithMod', null),
		dieAfterReadyMs: read('dieAfterReadyMs', null),
		dieWithMod: read('dieWithMod', null),
		dieAs: read('dieAs', 'crash'),
		ignoreStop: read('ignoreStop', false),
		freeze: read('freeze', false),
		ticks: read('ticks', 'vanilla')
	};
}

function fromEnvironment(key: keyof Options, value: string): unknown {
	if (READERS[key] === number) return value.trim() === '' ? NaN : Number(value);
	if (READERS[key] === flag) return value === 'true' || (value === 'false' ? false : value);
	return value;
}

function readFaults(file: string): Record<string, unknown> {
	let content: string;
	try {
		content = readFileSync(file, 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
		throw error;
	}
	let faults: unknown;
	try {
		faults = JSON.parse(content);
	} catch (cause) {
		throw new OptionError(`${FAULTS_FILE} is not JSON`, { cause });
	}
	if (typeof faults !== 'object' || faults === null || Array.isArray(faults))
		throw new OptionError(`${FAULTS_FILE} must hold an object`);
	const unknown = Object.keys(faults).find((key) => !Object.hasOwn(READERS, key));
	if (unknown) throw new OptionError(`${FAULTS_FILE}: unknown switch "${unknown}"`);
	return { ...faults };
}

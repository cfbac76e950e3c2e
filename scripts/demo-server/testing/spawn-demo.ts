import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SeedOptions } from '../seed/seed.ts';
import { seedDemoFolder } from '../seed/seed.ts';
import { ownPort } from './own-port.ts';

export const DEMO_MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

/** Spares each of the many short-lived processes most of its start. */
const COMPILE_CACHE = fileURLToPath(
	new URL('../../../node_modules/.cache/demo-server', import.meta.url)
);
const READY = /Done \([\d.]+s\)! For help/;
const LINE_LIMIT_MS = 15_000;
/** A test that dies leaves no server behind for longer than this. */
const SAFETY_MS = 120_000;
const PASSWORD = 'correct horse';

export type DemoFolder = { dir: string; port: number; rconPort: number; password: string };

/** A demo server of a test: a real process in a folder of its own. */
export interface Demo extends DemoFolder {
	process: ChildProcess;
	/** All of stdout so far. */
	output(): string;
	/** The first line of stdout, past or to come, that matches. Rejects when the process ends before. */
	line(pattern: RegExp): Promise<string>;
	ready(): Promise<void>;
	/** What the process ended with. */
	ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
	/** Kills it if it is still alive. */
	kill(): Promise<void>;
}

export async function makeDemoFolder(options: SeedOptions = {}): Promise<DemoFolder> {
	const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'craftwarden-demo-'));
	const port = options.gamePort ?? (await ownPort());
	const rconPort = options.rconPort ?? (await ownPort());
	const password = options.rconPassword ?? PASSWORD;
	await seedDemoFolder(dir, { ...options, gamePort: port, rconPort, rconPassword: password });
	return { dir, port, rconPort, password };
}

/** Without bots and quick, unless `env` says otherwise; `env` holds switches such as `DEMO_BOTS`. */
export function startDemo(folder: DemoFolder, env: Record<string, string> = {}): Demo {
	const child = spawn(process.execPath, [DEMO_MAIN], {
		cwd: folder.dir,
		stdio: ['pipe', 'pipe', 'pipe'],
		env: {
			PATH: process.env.PATH,
			TZ: process.env.TZ,
			NODE_COMPILE_CACHE: COMPILE_CACHE,
			DEMO_SEED: '1',
			DEMO_SPEED: '20',
			DEMO_BOTS: '0',
			DEMO_BOOT_MS: '60',
			DEMO_SAVE_MS: '30',
			DEMO_EXIT_AFTER_MS: String(SAFETY_MS),
			...env
		}
	});
	let output = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
	let errors = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
	const ended = once(child, 'close').then(([code, signal]) => ({
		code: code as number | null,
		signal: signal as NodeJS.Signals | null
	}));
	const matching = (pattern: RegExp) => output.split('\n').find((line) => pattern.test(line));
	const line = (pattern: RegExp) =>
		new Promise<string>((resolve, reject) => {
			const look = () => {
				const found = matching(pattern);
				if (found !== undefined) finish(() => resolve(found));
			};
			const fail = (why: string) =>
				finish(() => reject(new Error(`${why}: no line like ${pattern}\n${output}${errors}`)));
			const timer = setTimeout(() => fail('too late'), LINE_LIMIT_MS);
			const finish = (settle: () => void) => {
				clearTimeout(timer);
				child.stdout.off('data', look);
				settle();
			};
			child.stdout.on('data', look);
			void ended.then(() => (matching(pattern) === undefined ? fail('it ended') : look()));
			look();
		});
	return {
		...folder,
		process: child,
		output: () => output,
		line,
		ready: async () => void (await line(READY)),
		ended,
		async kill() {
			child.kill('SIGKILL');
			await ended;
		}
	};
}

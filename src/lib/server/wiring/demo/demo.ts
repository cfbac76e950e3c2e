import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { HOLD_SECONDS, TRIAL_HOLD_SECONDS } from '#schemas/plain/limits';
import { AppError } from '#core/errors';
import { run } from '#core/exec';
import { exists } from '#core/files';

/** Its TypeScript is compiled once, which saves a third of a process's memory. */
const compileCache = (root: string) => ({
	NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/demo-server')
});

const SEED_LIMIT_MS = 60_000;
/** The first and last files written, and those that people may delete to see what happens. */
const SEEDED = ['server.properties', 'eula.txt', 'world/level.dat', 'mods', 'usercache.json'];

/** Creates the demo server's folder, once, and says how to start it: a real process like any other server. */
export async function prepareDemo(serverDir: string, root: string, speed = 1) {
	const there = await Promise.all(SEEDED.map((name) => exists(path.join(serverDir, name))));
	const isFirst = !there.includes(true);
	if (there.includes(false)) {
		const seed = path.join(root, 'scripts/demo-server/seed/main.ts');
		await run(process.execPath, [seed, serverDir], {
			timeoutMs: SEED_LIMIT_MS,
			env: { PATH: process.env['PATH'], ...compileCache(root) }
		});
	}
	return {
		/** It has just been created: nobody has seen it yet. */
		isFirst,
		/** A game that is `speed` times as fast is watched for a shorter time after it is ready. */
		patience: {
			holdMs: demoHoldMs(speed).server,
			graceMs: GRACE_MS / speed,
			warningS: Math.ceil(WARNING_S / speed)
		},
		command: {
			argv: [process.execPath, path.join(root, 'scripts/demo-server/main.ts')],
			how: 'It is the demo’s own server: a small program that behaves like Minecraft.'
		},
		environment: compileCache(root)
	};
}

/** How many times as fast as a real one the demo's game is. */
export const demoSpeed = (environment: NodeJS.ProcessEnv) => Number(environment['DEMO_SPEED']) || 1;

/** For how long the demo watches its server, and a copy of it, after the ready line. */
export const demoHoldMs = (speed: number) => ({
	server: (HOLD_SECONDS.demo * 1000) / speed,
	copy: (TRIAL_HOLD_SECONDS.demo * 1000) / speed
});

/** A fictional service of demo mode: a process that exists only while it is needed. */
export interface DemoService {
	/** Starts it, unless it runs. AppError `upstream` when it cannot be started. */
	url(): Promise<URL>;
	close(): Promise<void>;
}

/** Short, so that whoever tries a mod that hangs sees the rollback within a minute. */
const GRACE_MS = 3000;
const WARNING_S = 5;

/** Any free port will do; the same one as before keeps addresses of files valid. */
const REGISTRY_PORT = 25_585;
const SOURCES_PORT = 25_586;
const START_LIMIT_MS = 20_000;
const END_LIMIT_MS = 2_000;
/** How many characters of its error output are kept. */
const WORDS_MAX = 4_000;

/** The mod registry. `idleMs`: it exits by itself when it has had no request for that long. */
export const createDemoRegistry = (root: string, idleMs?: number): DemoService =>
	createService(
		path.join(root, 'scripts/demo-registry/main.ts'),
		{ DEMO_REGISTRY_PORT: REGISTRY_PORT, DEMO_REGISTRY_IDLE_MS: idleMs },
		{ compiled: root, failed: failed('The demo’s mod registry could not be started. Try again.') }
	);

/** Where games, loaders and Java come from. */
export const createDemoSources = (root: string): DemoService =>
	createService(
		path.join(root, 'scripts/demo-sources/main.ts'),
		{ DEMO_SOURCES_PORT: SOURCES_PORT },
		{ compiled: root, failed: failed('The demo’s downloads could not be started. Try again.') }
	);

type Failed = (cause?: unknown) => AppError;

/** The first variable names the port. */
function createService(
	program: string,
	variables: Record<string, number | undefined>,
	{ compiled, failed }: { compiled: string; failed: Failed }
): DemoService {
	const [portVariable = ''] = Object.keys(variables);
	const given = Object.entries(variables).filter(([, value]) => value !== undefined);
	let running: { child: ChildProcess; url: Promise<URL> } | null = null;
	let port = String(variables[portVariable]);
	let closed = false;

	const start = () => {
		const child = spawn(process.execPath, [program], {
			stdio: 'pipe',
			env: {
				PATH: process.env['PATH'],
				...compileCache(compiled),
				...Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
				[portVariable]: port
			}
		});
		const url = addressOf(child, failed);
		const mine = { child, url };
		const over = () => void (running === mine && (running = null));
		child.on('exit', over).on('error', over);
		// It lives as long as its standard input is open; nothing about it keeps this process alive.
		child.stdin.on('error', () => {});
		child.unref();
		for (const pipe of [child.stdin, child.stderr]) (pipe as Socket).unref();
		url.then((at) => (port = at.port)).catch(() => child.kill('SIGKILL'));
		return mine;
	};
	return {
		async url() {
			if (closed) throw failed();
			return (running ??= start()).url;
		},
		async close() {
			closed = true;
			if (!running) return;
			const { child } = running;
			const ended = once(child, 'exit');
			child.stdin?.end();
			const late = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS);
			await ended.finally(() => clearTimeout(late));
		}
	};
}

/** The first line of its output. */
async function addressOf(child: ChildProcess, failed: Failed): Promise<URL> {
	const stdout = child.stdout as Socket;
	const lines = createInterface({ input: stdout });
	let words = '';
	child.stderr?.setEncoding('utf8').on('data', (text: string) => {
		if (words.length < WORDS_MAX) words += text;
	});
	try {
		const ended = new AbortController();
		child.once('exit', () => ended.abort());
		const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(START_LIMIT_MS)]);
		const [line] = await once(lines, 'line', { signal });
		return new URL(String(line));
	} catch (cause) {
		throw failed(new Error(words || 'it said nothing', { cause }));
	} finally {
		lines.close();
		stdout.destroy();
	}
}

const failed =
	(message: string): Failed =>
	(cause) =>
		new AppError('upstream', message, { cause, code: 'demo-registry' });

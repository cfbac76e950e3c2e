import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { seedDemoFolder } from '../scripts/demo-server/seed/seed.ts';
import { ownPort } from '../scripts/demo-server/testing/own-port.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const START_LIMIT_MS = 20_000;
export type Account = { username: string; password: string };
export const SUPERADMIN: Account = { username: 'ada', password: 'correct horse battery' };
export const ADMIN: Account = { username: 'bob', password: 'staple lantern block' };

export type Dashboard = {
	url: string;
	dataDir: string;
	/** The game server's folder. */
	gameDir: string;
	pid: number;
	output(): string;
	/** Ends the dashboard only, with any signal; the game goes on. */
	kill(signal?: NodeJS.Signals): Promise<void>;
	/** Starts the dashboard again on the same folders, on a new port. */
	again(env?: Record<string, string>): Promise<Dashboard>;
	/** Ends dashboard and game and removes the folders. */
	dispose(): Promise<void>;
};

/** Runs the built dashboard as a user would, in folders of its own, in demo mode unless `env` says otherwise. */
export async function startDashboard(
	options: { env?: Record<string, string>; home?: string } = {}
): Promise<Dashboard> {
	if (!existsSync(path.join(ROOT, 'build/handler.js')))
		throw new Error('There is no build yet: run `npm run build` first.');
	const home = options.home ?? (await mkdtemp(path.join(tmpdir(), 'craftwarden-')));
	const dataDir = options.env?.['DATA_DIR'] ?? path.join(home, 'data');
	const env = {
		PATH: process.env['PATH'] ?? '',
		HOME: home,
		ENV_FILE: '/dev/null',
		PORT: '0',
		HOST: '127.0.0.1',
		DATA_DIR: dataDir,
		LOG_DIR: path.join(home, 'logs'),
		SUPERADMIN_USERNAME: SUPERADMIN.username,
		SUPERADMIN_PASSWORD: SUPERADMIN.password,
		ADMIN_USERNAME: ADMIN.username,
		ADMIN_PASSWORD: ADMIN.password,
		DEMO_SPEED: '10',
		...options.env
	};
	if (!options.env?.['SERVER_DIR']) await seedDemo(dataDir);
	const child = spawn(process.execPath, ['scripts/serve.js'], {
		cwd: ROOT,
		env,
		stdio: ['ignore', 'pipe', 'pipe']
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding('utf8').on('data', (text: string) => (output += text));
	const url = await announced(child, () => output).catch(async (error) => {
		if (!options.home) await rm(home, { recursive: true, force: true });
		throw error;
	});
	const gameDir = env['SERVER_DIR' as keyof typeof env] ?? path.join(dataDir, 'demo');

	const kill = async (signal: NodeJS.Signals = 'SIGTERM') => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		const ended = once(child, 'exit');
		child.kill(signal);
		await ended;
	};
	return {
		url,
		dataDir,
		gameDir,
		pid: child.pid!,
		output: () => output,
		kill,
		again: (more = {}) => startDashboard({ env: { ...options.env, ...more }, home }),
		async dispose() {
			await kill('SIGKILL');
			await clear(home, gameDir);
		}
	};
}

/** Ends what a dashboard with this home has started, be it a game that was to outlive it, and removes the folder. */
export async function clear(home: string, gameDir = path.join(home, 'data/demo')) {
	const left = async () => [...(await processesIn(gameDir)), ...(await processesOf(home))];
	// One that was just being ended may have started another that was not there yet.
	const endAll = async () => {
		for (let pids = await left(); pids.length; pids = await left())
			for (const pid of new Set(pids)) endProcess(pid);
	};
	await endAll();
	await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
	await endAll();
}

/** With ports of its own, because other tests may use the default ones. */
export async function seedDemo(dataDir: string) {
	await mkdir(dataDir, { recursive: true, mode: 0o700 });
	const ports = { gamePort: await ownPort(), rconPort: await ownPort() };
	await seedDemoFolder(path.join(dataDir, 'demo'), ports);
}

async function announced(child: ChildProcess, output: () => string): Promise<string> {
	const deadline = Date.now() + START_LIMIT_MS;
	while (Date.now() < deadline) {
		const found = /listens on (http:\/\/\S+)/.exec(output());
		if (found?.[1]) return found[1].replace('localhost', '127.0.0.1');
		if (child.exitCode !== null) throw new Error(`The dashboard ended at once:\n${output()}`);
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	child.kill('SIGKILL');
	throw new Error(`The dashboard did not start:\n${output()}`);
}

/** The pids of processes whose working directory is this folder: the game server, however it was started. */
export const processesIn = (dir: string) =>
	processesThat(async (pid) => {
		const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => null);
		return (cwd === dir || cwd === `${dir} (deleted)`) && !(await isZombie(pid));
	});

/**
 * The pids of what a dashboard with this home has started, also of a process that was just being started when the
 * dashboard was killed and is not yet where it will run.
 */
const processesOf = (home: string) =>
	processesThat(async (pid) => {
		const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
		return environment.split('\0').includes(`HOME=${home}`);
	});

async function processesThat(fit: (pid: string) => Promise<boolean>): Promise<number[]> {
	const found: number[] = [];
	for (const name of await readdir('/proc'))
		if (/^\d+$/.test(name) && (await fit(name))) found.push(Number(name));
	return found;
}

const isZombie = (pid: string) =>
	readFile(`/proc/${pid}/stat`, 'utf8').then(
		(text) => / Z /.test(text.slice(text.lastIndexOf(')'))),
		() => true
	);

function endProcess(pid: number) {
	try {
		process.kill(pid, 'SIGKILL');
	} catch {
		// It ended by itself.
	}
}

/** A browser's view over plain HTTP: keeps cookies, sends Origin. */
export class Visitor {
	readonly url: string;
	#cookies = new Map<string, string>();

	constructor(dashboard: { url: string }) {
		this.url = dashboard.url;
	}

	get cookie() {
		return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
	}

	async fetch(target: string, init: RequestInit = {}) {
		const headers = new Headers(init.headers);
		if (this.#cookies.size && !headers.has('cookie')) headers.set('cookie', this.cookie);
		if (!headers.has('origin') && init.method && init.method !== 'GET')
			headers.set('origin', this.url);
		const response = await fetch(this.url + target, { redirect: 'manual', ...init, headers });
		for (const line of response.headers.getSetCookie()) {
			const [pair = ''] = line.split(';', 1);
			const at = pair.indexOf('=');
			if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(pair.slice(0, at));
			else this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
		}
		return response;
	}

	async json(target: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') {
		const init: RequestInit = { method };
		if (body !== undefined) {
			init.body = JSON.stringify(body);
			init.headers = { 'content-type': 'application/json' };
		}
		const response = await this.fetch(target, init);
		const text = await response.text();
		return {
			status: response.status,
			headers: response.headers,
			body: text ? JSON.parse(text) : null
		};
	}

	/** Posts a form as a browser without JavaScript does. */
	form(target: string, fields: Record<string, string> = {}) {
		return this.fetch(target, {
			method: 'POST',
			body: new URLSearchParams(fields),
			headers: { accept: 'text/html,application/xhtml+xml' }
		});
	}

	async signIn({ username, password }: Account, callbackUrl = '/admin') {
		return this.form('/login', { username, password, callbackUrl });
	}
}

export async function signedIn(dashboard: { url: string }, account: Account = SUPERADMIN) {
	const visitor = new Visitor(dashboard);
	const response = await visitor.signIn(account);
	if (response.status !== 303) throw new Error(`Sign-in answered ${response.status}`);
	return visitor;
}

/** Asks again until the answer satisfies; fails with a message that holds the last answer. */
export async function eventually<T>(
	ask: () => Promise<T>,
	good: (value: T) => boolean,
	limitMs = 15_000
): Promise<T> {
	const deadline = Date.now() + limitMs;
	for (;;) {
		const value = await ask();
		if (good(value)) return value;
		if (Date.now() > deadline)
			throw new Error(`Still ${JSON.stringify(value)} after ${limitMs} ms`);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

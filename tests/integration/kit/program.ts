import { spawn } from 'node:child_process';
import {
	cp,
	mkdir,
	mkdtemp,
	readFile,
	readdir,
	readlink,
	symlink,
	writeFile
} from 'node:fs/promises';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADMIN, SUPERADMIN } from '../../harness.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export type Ending = { code: number | null; signal: string | null };

/** The built dashboard as a bare process: for starts that must fail and for ends whose exit code matters. */
export type Program = {
	pid: number;
	/** Its address; null when it ended before it listened. */
	listening: Promise<string | null>;
	ended: Promise<Ending>;
	/** Lines of the error output. */
	errors(): string[];
	output(): string;
	kill(signal?: NodeJS.Signals): void;
};

export const newHome = () => mkdtemp(path.join(tmpdir(), 'craftwarden-'));

/** A valid configuration with folders below `home`. */
export const soundEnv = (home: string) => ({
	PORT: '0',
	HOST: '127.0.0.1',
	DATA_DIR: path.join(home, 'data'),
	LOG_DIR: path.join(home, 'logs'),
	SUPERADMIN_USERNAME: SUPERADMIN.username,
	SUPERADMIN_PASSWORD: SUPERADMIN.password,
	ADMIN_USERNAME: ADMIN.username,
	ADMIN_PASSWORD: ADMIN.password,
	DEMO_SPEED: '10'
});

/**
 * Makes another installation of this build in `root`. Instead of installing and building, its setup only brings a Node,
 * and fails when it is asked for anything but what a start needs.
 */
export async function install(root: string): Promise<void> {
	const here = (name: string) => path.join(ROOT, name);
	const isNeeded = (name: string) => !/node-runtime|demo-server|demo-registry|bench/.test(name);
	await cp(here('scripts'), path.join(root, 'scripts'), { recursive: true, filter: isNeeded });
	await cp(here('package.json'), path.join(root, 'package.json'));
	for (const name of ['build', 'scripts/demo-server'])
		await symlink(here(name), path.join(root, name));
	const setup = `
		import { mkdirSync, symlinkSync } from 'node:fs';
		if (process.argv.slice(2).join() !== '--build') process.exit(1);
		mkdirSync('node_modules/.bin', { recursive: true });
		symlinkSync(${JSON.stringify(process.execPath)}, 'node_modules/.bin/node');
	`;
	await writeFile(path.join(root, 'scripts/setup.mjs'), setup);
}

/** `root`: another installation than this one, with a `scripts/serve.js` of its own. */
export function runProgram(
	home: string,
	env: Record<string, string>,
	{ root = ROOT, argv = [process.execPath, path.join(root, 'scripts/serve.js')] } = {}
): Program {
	const [file = '', ...args] = argv;
	const child = spawn(file, args, {
		cwd: home,
		env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env },
		stdio: ['ignore', 'pipe', 'pipe']
	});
	const out = { text: '', errors: '' };
	const ended = new Promise<Ending>((resolve) =>
		child.once('close', (code, signal) => resolve({ code, signal }))
	);
	const listening = new Promise<string | null>((resolve) => {
		child.stdout.setEncoding('utf8').on('data', (text: string) => {
			const found = /listens on (http:\/\/\S+)/.exec((out.text += text))?.[1];
			if (found) resolve(found.replace('localhost', '127.0.0.1'));
		});
		void ended.then(() => resolve(null));
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => (out.errors += text));
	return {
		pid: child.pid!,
		listening,
		ended,
		errors: () => out.errors.split('\n').filter(Boolean),
		output: () => out.text + out.errors,
		kill: (signal = 'SIGTERM') => void child.kill(signal)
	};
}

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

/** Like fetch, but with any header, and a body that may be a stream of chunks. */
export function ask(
	url: string,
	target: string,
	options: { method?: string; headers?: Record<string, string>; body?: string } = {}
): Promise<Answer> {
	const { method = 'GET', headers = {}, body = '' } = options;
	const { hostname, port } = new URL(url);
	return new Promise((resolve, reject) => {
		const given = { host: hostname, port, path: target, method, headers };
		const sent = request(given, (response) => {
			let text = '';
			response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
			response.on('end', () =>
				resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text })
			);
			response.on('error', reject);
		});
		sent.on('error', reject);
		sent.end(body);
	});
}

/** A connection on which the test itself is the client, byte by byte. */
export function bareSocket(url: string, first = ''): Promise<Socket> {
	const { hostname, port } = new URL(url);
	return new Promise((resolve, reject) => {
		const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }, () => {
			socket.off('error', reject);
			socket.on('error', () => {}); // being cut off is what these tests wait for
			if (first) socket.write(first);
			resolve(socket);
		});
		socket.once('error', reject);
	});
}

/**
 * Connections that the process has accepted and not closed; those that it opened itself do not count. `at`: only those
 * from this address.
 */
export async function socketsOf(pid: number, at?: string): Promise<number> {
	const links = (await readdir(`/proc/${pid}/fd`)).map((fd) =>
		readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')
	);
	const open = new Set(
		(await Promise.all(links)).flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [])
	);
	const tables = ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8'));
	const own = (await Promise.all(tables))
		.flatMap((table) => table.trim().split('\n').slice(1))
		.map((line) => line.trim().split(/\s+/))
		.filter((columns) => open.has(columns[9]!))
		.map(([, local, , state]) => ({ port: local!.split(':')[1], listens: state === '0A' }));
	const wanted = at && Number(new URL(at).port).toString(16).toUpperCase().padStart(4, '0');
	const ports = own
		.filter(({ port, listens }) => listens && (!wanted || port === wanted))
		.map(({ port }) => port);
	return own.filter(({ port, listens }) => !listens && ports.includes(port)).length;
}

/** Resident memory in MiB. */
export async function memoryOf(pid: number): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** An operation in the journal that takes more than a connection holds by itself: 16 MB. */
export async function largeOperation(dataDir: string): Promise<string> {
	const id = '20260102T030405123Z-00ab';
	const at = '2026-01-02T03:04:05.123Z';
	const steps = ['launch', 'ready'].map((step) => ({
		...{ id: step, label: step, status: 'failed', detail: null, progress: null, at }
	}));
	const log = Array.from({ length: 8000 }, (_, n) => `${n} ${'x'.repeat(2000)}`);
	const operation = {
		...{ id, kind: 'start', subject: null, by: 'bob', state: 'failed' },
		...{ startedAt: at, finishedAt: at, steps, cause: { message: 'It ended.', log, mods: [] } }
	};
	const rest = { phase: 'forward', ending: null, crashed: null, takeovers: 0, writtenAt: at };
	const entry = { version: 1, operation, input: {}, memo: {}, ...rest };
	await mkdir(path.join(dataDir, 'operations'), { recursive: true, mode: 0o700 });
	await writeFile(path.join(dataDir, 'operations', `${id}.json`), JSON.stringify(entry));
	return id;
}

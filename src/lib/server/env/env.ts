import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readFile, realpath, stat } from 'node:fs/promises';
import { homedir, networkInterfaces } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { errno } from '#core/errors';
import { ensureDir, readTextIfExists } from '#core/files';
import { accountProblems, accountsOf, type ConfiguredAccount } from './accounts.ts';
import { keptDemoAccounts, keptSecret } from './secrets.ts';
import { similarName } from './similar-name.ts';
import {
	NEVER_EMPTY,
	OUR_PREFIX,
	SOURCE_VARIABLES,
	VARIABLE_NAMES,
	type SourceVariable,
	Variables,
	type Values,
	type VariableName
} from './values.ts';

export type Env = {
	/** No SERVER_DIR is set: the built-in server is managed. */
	demo: boolean;
	/** The file that the settings come from beside the real environment; null when there is none. */
	envFile: string | null;
	host: string;
	port: number;
	/** Addresses and CIDRs, each one valid. */
	trustProxy: string[];
	publicUrl: URL | null;
	/** `password` is clear text or a hash in PHC form. */
	accounts: ConfiguredAccount[];
	/** The demo's accounts when they were generated at this very start: to be shown once. */
	newAccounts: ConfiguredAccount[];
	authSecret: string;
	/** 8 hexadecimal digits that stay the same while DATA_DIR does: cookies of one host are shared by all its ports. */
	installation: string;
	serverDir: string;
	serverName: string | null;
	serverAddress: string | null;
	serverCommand: string[] | null;
	/** What starts and stops the game. */
	runtime: RuntimeConfig;
	/** Overrides of server.properties. */
	rcon: { host: string | null; port: number | null; password: string | null };
	bedrockPrefix: string | null;
	dataDir: string;
	backupDir: string;
	snapshotDir: string;
	logDir: string;
	scheduler: 'crontab' | 'embedded';
	/** Null: the demo's own, fictional registry. */
	modrinthUrl: URL | null;
	/** Where games, loaders and Java come from, by setting. Null: the real ones, or in demo mode its own, fictional ones. */
	sourceUrls: Record<SourceVariable, URL | null>;
	/** The Java that the owner wants the game to be started with, whatever else is found. */
	javaHome: string | null;
	verifyTimeoutMs: number;
	streamsPerAccount: number;
	/** What a scraper of `/metrics` must send; null: there is no such endpoint. */
	metricsToken: string | null;
	/** Push services beside those of the browsers. */
	pushOrigins: string[];
	/** Whom push services may turn to; null: an address of the dashboard. */
	pushContact: string | null;
	version: string;
};

export type RuntimeConfig =
	| { kind: 'process' }
	| { kind: 'keeper'; dir: string }
	| { kind: 'systemd'; unit: string; scope: 'system' | 'user' };

/** What concerns one game server, and not the dashboard around it. */
export type ServerConfig = Omit<
	Env,
	| 'accounts'
	| 'authSecret'
	| 'envFile'
	| 'host'
	| 'installation'
	| 'newAccounts'
	| 'port'
	| 'publicUrl'
	| 'trustProxy'
>;

/** The configuration is wrong. Each line of the message names a variable, what is wrong, and what to do. */
export class EnvError extends Error {
	constructor(lines: string[], cause?: unknown) {
		super(lines.join('\n'), { cause });
		this.name = 'EnvError';
	}
}

type Source = Record<string, string | undefined>;
type Warn = (message: string) => void;

const MADE_WHEN_MISSING = ['BACKUP_DIR', 'SNAPSHOT_DIR', 'LOG_DIR'] as const;
/** Heavily modded servers take minutes to load; the demo boots in seconds, and whoever tries its hanging mod wants to see the rollback. */
const VERIFY_TIMEOUT_S = { real: 900, demo: 30 };
const PUBLIC_REGISTRY = 'https://api.modrinth.com/v2';
const toStderr: Warn = (message) => void process.stderr.write(`craftwarden: ${message}\n`);

/**
 * Reads the environment, and `.env` in `root` (or ENV_FILE) for what it does not set. Creates the data directory, the secret and the
 * demo's credentials. The only reader of the environment.
 */
export async function readEnv(source: Source, root: string, warn: Warn = toStderr): Promise<Env> {
	const dotEnv = path.resolve(root, source['ENV_FILE'] || '.env');
	const written = await readDotEnv(dotEnv, warn);
	// Otherwise a demo would start, of which nobody knows why.
	if (!written && source['ENV_FILE'])
		throw new EnvError([`ENV_FILE: ${dotEnv} does not exist. Correct the path, or unset it.`]);
	const all = { ...written, ...source };
	warnOfUnknown(all, Object.keys(written ?? {}), path.basename(dotEnv), warn);
	const { values, problems } = parse(all);
	const isSet = (name: VariableName) => all[name] !== undefined;
	problems.push(...accountProblems(values, isSet, !isSet('SERVER_DIR')));
	problems.push(...runtimeProblems(values));
	const home = all['HOME'] || homedir();
	const dir = (text: string) => path.resolve(root, text.replace(/^~(?=\/|$)/, home));
	const serverDir = values.SERVER_DIR === undefined ? null : dir(values.SERVER_DIR);
	if (serverDir) problems.push(...(await folderProblems(serverDir)));
	for (const name of MADE_WHEN_MISSING)
		if (values[name] && !(await canBeFolder(dir(values[name]))))
			problems.push(`${name}: ${dir(values[name])} is not a folder. Give one, or remove the line.`);
	const crontab = await isOnPath('crontab', all['PATH']);
	if (values.SCHEDULER === 'crontab' && !crontab)
		problems.push('SCHEDULER: there is no crontab command. Install cron, or set embedded.');
	if (problems.length) throw new EnvError(problems);

	const dataDir = dir(values.DATA_DIR ?? 'data');
	const demo = serverDir === null;
	const kept = await keep(dataDir, values, demo, warn);
	return {
		demo,
		envFile: written && dotEnv,
		host: values.HOST ?? (demo ? '127.0.0.1' : await allAddresses()),
		port: values.PORT ?? 3000,
		trustProxy: values.TRUST_PROXY ?? [],
		publicUrl: values.PUBLIC_URL ?? null,
		...kept,
		serverDir: serverDir ?? path.join(dataDir, 'demo'),
		serverName: values.SERVER_NAME ?? null,
		serverAddress: values.SERVER_ADDRESS ?? null,
		// The demo server has a command and a server.properties of its own.
		serverCommand: demo ? null : (values.SERVER_COMMAND ?? null),
		runtime: runtimeOf(values),
		rcon: {
			host: (!demo && values.RCON_HOST) || null,
			port: (!demo && values.RCON_PORT) || null,
			password: (!demo && values.RCON_PASSWORD) || null
		},
		bedrockPrefix: values.BEDROCK_PREFIX ?? null,
		dataDir,
		backupDir: values.BACKUP_DIR ? dir(values.BACKUP_DIR) : path.join(dataDir, 'backups'),
		snapshotDir: values.SNAPSHOT_DIR ? dir(values.SNAPSHOT_DIR) : path.join(dataDir, 'snapshots'),
		logDir: values.LOG_DIR ? dir(values.LOG_DIR) : path.join(home, 'logs', 'craftwarden'),
		scheduler: demo ? 'embedded' : (values.SCHEDULER ?? (crontab ? 'crontab' : 'embedded')),
		modrinthUrl: values.MODRINTH_URL ?? (demo ? null : new URL(PUBLIC_REGISTRY)),
		sourceUrls: Object.fromEntries(
			SOURCE_VARIABLES.map((name) => [name, values[name] ?? null])
		) as Env['sourceUrls'],
		javaHome: values.JAVA_HOME ?? null,
		verifyTimeoutMs:
			1000 * (values.VERIFY_TIMEOUT_SECONDS ?? VERIFY_TIMEOUT_S[demo ? 'demo' : 'real']),
		streamsPerAccount: values.STREAMS_PER_ACCOUNT ?? 64,
		metricsToken: values.METRICS_TOKEN ?? null,
		pushOrigins: values.PUSH_ORIGINS ?? [],
		pushContact: values.PUSH_CONTACT ?? null,
		version: await readVersion(root)
	};
}

/** Null when there is no such file. */
/** A value without quotes in which a comment seems to begin in the middle of a word. */
const CUT_OFF = /^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*[^'"`\s#][^\n#]*(?<![\s#])#/gm;

async function readDotEnv(file: string, warn: Warn): Promise<Source | null> {
	try {
		const text = await readTextIfExists(file);
		if (text === null) return null;
		const values = parseEnv(text);
		const secret = Object.keys(values).some((name) => /PASSWORD|SECRET|TOKEN/.test(name));
		if (secret && (await stat(file)).mode & 0o044)
			warn(`.env holds secrets and other users can read it. Run: chmod 600 ${file}`);
		for (const [, name] of text.matchAll(CUT_OFF))
			warn(
				`${name} in ${path.basename(file)} ends before its #. If that belongs to the value, put it in 'single quotes'.`
			);
		return values;
	} catch (cause) {
		throw new EnvError(
			[`.env: ${file} cannot be read (${errno(cause)}). Make it readable.`],
			cause
		);
	}
}

/** `written`: the names in the file. It is ours alone, while the real environment has many names of others. */
function warnOfUnknown(all: Source, written: string[], file: string, warn: Warn) {
	const known: readonly string[] = VARIABLE_NAMES;
	for (const name of Object.keys(all)) {
		if (known.includes(name)) continue;
		const isInFile = written.includes(name);
		const meant = isInFile || OUR_PREFIX.test(name) ? similarName(name) : null;
		if (meant) warn(`${name}${isInFile ? ` in ${file}` : ''} is not known. Did you mean ${meant}?`);
		else if (OUR_PREFIX.test(name))
			warn(`${name} is not one of the variables in .env.example and is ignored.`);
	}
}

/** Values are trimmed: a trailing newline or space is never meant. */
function parse(all: Source): { values: Values; problems: string[] } {
	const problems: string[] = [];
	const given: Partial<Record<VariableName, string>> = {};
	for (const name of VARIABLE_NAMES) {
		const text = all[name]?.trim();
		if (text) given[name] = text;
		else if (text === '' && NEVER_EMPTY.includes(name))
			problems.push(`${name}: is empty. Give it a value, or remove the line.`);
	}
	const result = Variables.safeParse(given);
	if (result.success) return { values: result.data, problems };
	const wrong = new Set<PropertyKey>();
	for (const { path, message } of result.error.issues) {
		const name = path[0] ?? '';
		if (!wrong.has(name)) problems.push(`${String(name)}: ${message}`);
		wrong.add(name);
	}
	// What is right in itself is still checked together, so that one start names everything.
	const rest = Object.entries(given).filter(([name]) => !wrong.has(name));
	return { values: Variables.parse(Object.fromEntries(rest)), problems };
}

function runtimeProblems(values: Values): string[] {
	const { RUNTIME: kind = 'process', SERVER_DIR, SERVER_COMMAND, SYSTEMD_UNIT } = values;
	if (kind === 'process') return [];
	const problems: string[] = [];
	if (!SERVER_DIR)
		problems.push(`RUNTIME: ${kind} needs SERVER_DIR, the folder that the game runs in.`);
	if (SERVER_COMMAND)
		problems.push(
			`SERVER_COMMAND: is not used with RUNTIME=${kind}, which knows its own. Remove the line.`
		);
	if (kind === 'systemd' && !SYSTEMD_UNIT)
		problems.push(
			'SYSTEMD_UNIT: RUNTIME=systemd needs the name of the unit, e.g. minecraft.service.'
		);
	return problems;
}

function runtimeOf({ RUNTIME, KEEPER_DIR, SYSTEMD_UNIT, SYSTEMD_SCOPE }: Values): RuntimeConfig {
	if (RUNTIME === 'keeper') return { kind: 'keeper', dir: KEEPER_DIR ?? '/run/craftwarden' };
	if (RUNTIME === 'systemd')
		return { kind: 'systemd', unit: SYSTEMD_UNIT ?? '', scope: SYSTEMD_SCOPE ?? 'system' };
	return { kind: 'process' };
}

async function folderProblems(dir: string): Promise<string[]> {
	const found = await stat(dir).catch((error: unknown) => errno(error) ?? 'unknown error');
	if (typeof found !== 'string' && found.isDirectory()) return [];
	const why =
		found === 'ENOENT'
			? 'does not exist'
			: typeof found === 'string'
				? `cannot be looked into (${found})`
				: 'is not a folder';
	return [
		`SERVER_DIR: ${dir} ${why}. Give the folder that holds server.properties, or an empty one for a new server.`
	];
}

/** A folder, or nothing yet: a disk that is not mounted now may be there when it is needed. */
const canBeFolder = (dir: string): Promise<boolean> =>
	stat(dir).then(
		(found) => found.isDirectory(),
		(error: unknown) => errno(error) !== 'ENOTDIR'
	);

/** Creates and reads what is kept in the data directory. */
async function keep(dataDir: string, values: Values, demo: boolean, warn: Warn) {
	try {
		await ensureDir(dataDir);
		await access(dataDir, constants.W_OK); // nothing of ours can be locked on a read-only disk
		const authSecret = values.AUTH_SECRET ?? (await keptSecret(dataDir, warn));
		const generated = demo && !(values.SUPERADMIN_USERNAME && values.SUPERADMIN_PASSWORD);
		const demoAccounts = generated ? await keptDemoAccounts(dataDir, warn) : null;
		const spare = demoAccounts?.accounts ?? [];
		const accounts = accountsOf(values, spare);
		const newAccounts = demoAccounts?.fresh ? accounts.filter((one) => spare.includes(one)) : [];
		const installation = hash('sha256', await realpath(dataDir), 'hex').slice(0, 8);
		return { authSecret, installation, accounts, newAccounts };
	} catch (cause) {
		throw new EnvError(
			[
				`DATA_DIR: ${dataDir} cannot be used (${errno(cause) ?? cause}). Make it writable, or set another.`
			],
			cause
		);
	}
}

async function isOnPath(name: string, searchPath = ''): Promise<boolean> {
	for (const dir of searchPath.split(path.delimiter).filter(path.isAbsolute)) {
		const found = await access(path.join(dir, name), constants.X_OK).then(
			() => true,
			() => false
		);
		if (found) return true;
	}
	return false;
}

/** `::` takes IPv4 too, unless the machine has no IPv6 or keeps the two apart. */
async function allAddresses(): Promise<string> {
	const hasIPv6 = Object.values(networkInterfaces())
		.flat()
		.some((one) => one?.family === 'IPv6');
	const apart = await readTextIfExists('/proc/sys/net/ipv6/bindv6only').catch(() => null);
	return hasIPv6 && apart?.trim() === '0' ? '::' : '0.0.0.0';
}

async function readVersion(root: string): Promise<string> {
	const text = await readFile(path.join(root, 'package.json'), 'utf8').catch(() => '{}');
	const { version } = JSON.parse(text) as { version?: unknown };
	return typeof version === 'string' ? version : '0.0.0';
}

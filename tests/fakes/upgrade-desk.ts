import { createHash } from 'node:crypto';
import {
	appendFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync
} from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Retry } from '#core/retry-on-disk-error';
import type { Operations, ServerControl } from '#operations';
import { createTrials, type Trials, type TrialsDeps } from '#trial';
import type { ModChange } from '../../src/lib/server/services/mods/change/index.ts';
import { createModsForGame } from '../../src/lib/server/services/mods/for-game.ts';
import { createParts } from '../../src/lib/server/services/software/parts.ts';
import { defineGoBack } from '../../src/lib/server/services/upgrades/go-back/operation.ts';
import { defineUpgrade } from '../../src/lib/server/services/upgrades/operation.ts';
import type { Deps, UpgradeInput } from '../../src/lib/server/services/upgrades/types.ts';
import { modSet, putOf, realSnapshots, sha512, stillServer } from './mods/change-setup.ts';

const jarOf = (game: string) => `fabric-${game}.jar`;
/** A game that never comes up. */
export const BAD = '9.9';
export const GOOD = '2.0';
export const OLD = '1.0';

/** A server before its upgrade, whose world has another name. */
export const BEFORE: Record<string, string> = {
	[jarOf(OLD)]: `the game ${OLD}`,
	'eula.txt': 'eula=true\n',
	'start.sh': `#!/bin/sh\nexec java -jar ${jarOf(OLD)} nogui\n`,
	'server.properties': 'level-name=my-world\nmotd=old\n',
	'ops.json': '[]',
	'mods/a-1.jar': 'a 1',
	'mods/late.jar': 'late',
	'mods/own.jar': 'own',
	'config/a.toml': 'version = 1',
	'my-world/level.dat': `saved by ${OLD}`,
	'my-world/region/r.0.0.mca': 'chunks',
	'my-world/playerdata/ann.dat': 'ann'
};

/** What else a new game makes, such as dimensions that the old one did not have. */
const MADE: Record<string, string> = {
	'my-world_nether/level.dat': 'saved by the new one',
	'new.yml': 'of the new one'
};

/** What it is afterwards, once the new game has run. */
export const after = (game: string): Record<string, string> => {
	const { [jarOf(OLD)]: jar, 'mods/a-1.jar': a, 'mods/late.jar': late, ...rest } = BEFORE;
	return {
		...rest,
		...MADE,
		[jarOf(game)]: jar!.replace(OLD, game),
		'start.sh': BEFORE['start.sh']!.replace(OLD, game),
		'server.properties': `${BEFORE['server.properties']}new-in=${game}\n`,
		'ops.json': '["made meanwhile"]',
		'mods/a-2.jar': a!.replace('1', '2'),
		'mods/late.jar.disabled': late!,
		'config/a.toml': 'version = 2',
		'my-world/level.dat': `saved by ${game}`
	};
};

export async function fill(serverDir: string, files = BEFORE) {
	for (const [name, content] of Object.entries(files)) {
		await mkdir(path.dirname(path.join(serverDir, name)), { recursive: true });
		await writeFile(path.join(serverDir, name), content);
	}
}

/** Everything in the folder by its content, but for working folders of ours. */
export async function treeOf(dir: string): Promise<Record<string, string>> {
	const tree: Record<string, string> = {};
	for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
		const file = path.join(entry.parentPath, entry.name);
		const name = path.relative(dir, file);
		if (name.startsWith('.craftwarden')) continue;
		if ((await lstat(file)).isFile()) tree[name] = await readFile(file, 'utf8');
	}
	return tree;
}

const gameIn = (serverDir: string) => {
	const games = readdirSync(serverDir).flatMap(
		(name) => /^fabric-(.+)\.jar$/.exec(name)?.[1] ?? []
	);
	return games.length === 1 ? games[0]! : null;
};

export type DeskTrouble = {
	retry?: Retry;
	/** Called as the game of that version starts. */
	launched?: (game: string | null) => void;
	flushed?: () => Promise<void>;
	backup?: () => Promise<void>;
	/** Without them nothing is tried on a copy. */
	trials?: Pick<Trials, 'problem' | 'complete' | 'boot' | 'times'>;
	java?: string;
};

/** Trials of a desk's server, run with the given program. */
export function trialsAt(
	dir: string,
	java: string,
	more: Pick<TrialsDeps, 'clock' | 'can' | 'trusted'>
) {
	const serverDir = path.join(dir, 'data', 'server');
	const quiet = () => {};
	return createTrials({
		...{ serverDir, dataDir: path.join(dir, 'data'), environment: {} },
		mask: async () => (text) => text,
		hidden: { dirs: [], files: [] },
		installation: async () => ({
			command: [java, '-Xmx8M', '-jar', jarOf(OLD)],
			worldDir: path.join(serverDir, 'my-world'),
			supported: true
		}),
		liveBytes: async () => null,
		history: { read: async () => [], add: async () => {} },
		limits: { maxMs: 20_000, minMs: 20_000, holdMs: 20 },
		log: { info: quiet, warn: quiet, error: quiet },
		...more
	});
}

/**
 * For a desk that has a `launcherJava`. A sandbox would end together with this process; without one, whatever is left
 * running has to be ended.
 */
export function trialsIn(dir: string, clock: Clock): { trials?: Trials; java?: string } {
	const java = javaIn(dir);
	if (!existsSync(java)) return {};
	const can = async () => ({ problem: 'There is none.', gently: [] });
	return { java, trials: trialsAt(dir, java, { clock, can, trusted: true }) };
}

/** If this file exists, the next program that is started removes it and hangs. */
export const hangIn = (dir: string) => path.join(dir, 'hang');

/** The version that stands in this file does not come up either. */
export const refusedIn = (dir: string) => path.join(dir, 'refused');

const javaIn = (dir: string) => path.join(dir, 'jdk/bin/java');

/** What the launcher downloads, at its final paths. */
export const BROUGHT = { '.fabric/server/game.jar': 'the game', 'libraries/lib.jar': 'a library' };

/** Writes its `java`: a launcher that makes the game without a network, and a game that fails with one mod. */
export async function launcherJava(dir: string): Promise<void> {
	const java = javaIn(dir);
	await mkdir(path.dirname(java), { recursive: true });
	const lines = Object.entries(BROUGHT).map(
		([name, content]) => `mkdir -p ${path.dirname(name)}; printf '${content}' > ${name}`
	);
	await writeFile(
		java,
		`#!/bin/sh
rm ${hangIn(dir)} 2>&- && while :; do sleep 1; done
[ -e eula.txt ] || { ${lines.join('; ')}; echo eula=false > eula.txt; exit 0; }
[ -e .fabric/server/game.jar ] || { echo 'java.net.UnknownHostException: the game'; exit 1; }
[ -e mods/bad.jar ] && { echo 'java.lang.IllegalStateException: late'; exit 1; }
echo '[12:00:00] [Server thread/INFO]: Done (0.1s)! For help, type "help"'
read line
`,
		{ mode: 0o755 }
	);
}

/** The operation with real files, snapshots, downloads and renames, and a game that is a few writes. */
export function openUpgrades(input: {
	dir: string;
	operations: Operations;
	clock: Clock;
	trouble?: DeskTrouble;
}) {
	const { dir, operations, clock, trouble = {} } = input;
	const [serverDir, dataDir] = [path.join(dir, 'data', 'server'), path.join(dir, 'data')];
	const modsDir = path.join(serverDir, 'mods');
	const at = (name: string) => path.join(serverDir, name);
	const { store, snapshots } = realSnapshots({ serverDir, dataDir, clock });
	const still = stillServer(path.join(dir, 'running'));
	const server: ServerControl = {
		...still,
		async launch(ctx) {
			const game = gameIn(serverDir);
			trouble.launched?.(game);
			await still.launch(ctx);
			if (game === OLD || !readFileSync(at('my-world/level.dat'), 'utf8').includes(OLD)) return;
			if (!readFileSync(at('server.properties'), 'utf8').includes('new-in='))
				appendFileSync(at('server.properties'), `new-in=${game}\n`);
			writeFileSync(at('config/a.toml'), 'version = 2');
			writeFileSync(at('ops.json'), '["made meanwhile"]');
			try {
				for (const [name, content] of Object.entries(MADE)) {
					mkdirSync(path.dirname(at(name)), { recursive: true });
					writeFileSync(at(name), content);
				}
			} catch {
				// A full disk is left to the game to deal with.
			}
			// Written in place, as games do, so that anything sharing its blocks or its inode would change too. Written last,
			// so that a game killed before this does it all again.
			writeFileSync(at('my-world/level.dat'), `saved by ${game}`);
		},
		async verify(...call) {
			const refused = existsSync(refusedIn(dir)) && readFileSync(refusedIn(dir), 'utf8');
			if ([BAD, refused].includes(gameIn(serverDir) ?? ''))
				throw new AppError('conflict', 'It does not start.');
			return still.verify(...call);
		}
	};
	const { java = '/usr/bin/java', trials } = trouble;
	const installation = async () => ({
		...{ loader: 'fabric', loaderVersion: '0.1', gameVersion: gameIn(serverDir), problem: null },
		worldDir: at('my-world'),
		command: { argv: [java, '-Xmx8M', '-jar', jarOf(gameIn(serverDir) ?? ''), 'nogui'], how: '' }
	});
	const chosen = async () => ({ version: '21', major: 21, path: java });
	const software = createParts({
		...{ serverDir, apart: [serverDir, dataDir] },
		installation,
		javas: { choose: chosen, named: chosen },
		sources: {
			of: () => ({
				artifact: async (game: string) => ({ kind: 'server', fileName: jarOf(game), size: 1 }),
				async download({ fileName }: { fileName: string }, to: string) {
					await writeFile(`${to}.part`, `the game ${/-(.+)\.jar/.exec(fileName)![1]}`);
					await copyFile(`${to}.part`, to);
					rmSync(`${to}.part`);
				}
			})
		}
	} as unknown as Parameters<typeof createParts>[0]);
	const parkedFile = path.join(dir, 'parked');
	const mods = createModsForGame({
		...{ modsDir, serverDir, dataDir, operations, trials, clock },
		current: () => modSet(modsDir),
		inventory: { read: async () => ({ files: [], server: await installation() }) },
		registry: {},
		satisfies: () => true,
		readJar: async () => ({ ok: true, mods: [], library: false }),
		async download({ url }: { url: string }, to: string) {
			await writeFile(to, Buffer.from(url.slice('data:,'.length), 'base64'));
		},
		checkJar: async () => null,
		parked: { add: async (names: string[]) => writeFileSync(parkedFile, names.join()) },
		changed: () => {},
		log: { error: () => {} }
	} as unknown as Parameters<typeof createModsForGame>[0]);
	const deps = {
		...{ serverDir, refusal: null, installation, software, mods, operations, server, snapshots },
		started: async () => {
			const game = gameIn(serverDir);
			return game && jarOf(game);
		},
		untouchable: async () => null,
		backup: async () => trouble.backup?.(),
		players: async () => [],
		lock: { tryAcquire: () => true, release: () => {} },
		modpack: () => ({ id: 'modpack', label: 'Pack', afterCrash: 'always', run: async () => {} }),
		...{ trials, trialBoots: async () => (trials ? 'auto' : 'never') },
		flushDisk: async () => trouble.flushed?.(),
		changed: () => {},
		audit: async () => {},
		log: { error: () => {} },
		clock,
		...(trouble.retry && { retry: trouble.retry })
	} as unknown as Deps;
	operations.define(defineUpgrade(deps));
	operations.define(defineGoBack(deps));

	return {
		serverDir,
		deps,
		snapshots: store,
		parked: () => (existsSync(parkedFile) ? readFileSync(parkedFile, 'utf8') : null),
		async inputFor(game: string, { parks = true } = {}): Promise<UpgradeInput> {
			const before = await modSet(modsDir);
			const change: ModChange = {
				...{ kind: 'update', planId: null, titles: [], restart: true, backupFirst: false },
				put: [putOf({ fileName: 'a-2.jar', title: 'A 2', content: 'a 2' })],
				take: [{ fileName: 'a-1.jar', sha512: sha512('a 1'), title: 'A 1', side: 'both' }],
				rename: parks
					? [
							{
								...{ from: 'late.jar', to: 'late.jar.disabled', sha512: before['late.jar']! },
								...{ title: 'Late', side: 'both' as const }
							}
						]
					: [],
				before
			};
			return {
				target: {
					...{ loader: 'fabric', gameVersion: game, from: '0.1', build: '0.2', java: 21 },
					...{ started: jarOf(OLD), keepName: false }
				},
				...{ fromGame: OLD, change, parked: parks ? ['late.jar.disabled'] : [], by: 'ann' }
			};
		},
		close: store.close
	};
}

/** Names a tree in a few characters. */
export const digestOf = (tree: Record<string, string>) =>
	createHash('sha256')
		.update(JSON.stringify(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1))))
		.digest('hex');

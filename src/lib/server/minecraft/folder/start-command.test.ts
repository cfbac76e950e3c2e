import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { jar } from '../../../../../tests/fakes/mods/jars.ts';
import { standInFolder, type FolderKind } from '../../../../../tests/fakes/game/server-folders.ts';
import { readInstallation, type InstallationOverrides } from './installation.ts';

const NONE: InstallationOverrides = {
	command: null,
	rcon: { host: null, port: null, password: null },
	javaHome: null
};
const ARGS = (library: string) => `libraries/${library}/unix_args.txt`;

const open: { remove(): Promise<void> }[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map((folder) => folder.remove()));
});

async function setup(kind: FolderKind | null, properties?: Record<string, string | number>) {
	const folder = await standInFolder(kind, { properties });
	open.push(folder);
	const read = (overrides: Partial<InstallationOverrides> = {}) =>
		readInstallation(folder.dir, { ...NONE, ...overrides });
	return { folder, read };
}

describe('detecting the server and how it is started', () => {
	test.each<[FolderKind, string, string, string[], string]>([
		[
			'fabric',
			'Fabric 0.16.9',
			'1.21.1',
			['-jar', 'fabric-server-mc.1.21.1-loader.0.16.9-launcher.1.0.1.jar'],
			'Fabric launcher jar found: fabric-server-mc.1.21.1-loader.0.16.9-launcher.1.0.1.jar.'
		],
		[
			'fabric-legacy',
			'Fabric 0.14.17',
			'1.19.2',
			['-jar', 'fabric-server-launch.jar'],
			'Fabric launcher jar found: fabric-server-launch.jar.'
		],
		[
			'quilt',
			'Quilt 0.28.1',
			'1.20.1',
			['-jar', 'quilt-server-launch.jar'],
			'Quilt launcher jar found: quilt-server-launch.jar.'
		],
		[
			'forge',
			'Forge 47.2.4',
			'1.20.1',
			['@user_jvm_args.txt', `@${ARGS('net/minecraftforge/forge/1.20.1-47.2.4')}`],
			'Forge 47.2.4 found in libraries, with the Java options of user_jvm_args.txt.'
		],
		[
			'forge-old',
			'Forge 36.2.39',
			'1.16.5',
			['-jar', 'forge-1.16.5-36.2.39.jar'],
			'Forge jar found: forge-1.16.5-36.2.39.jar.'
		],
		[
			'neoforge',
			'NeoForge 21.1.172',
			'1.21.1',
			['@user_jvm_args.txt', `@${ARGS('net/neoforged/neoforge/21.1.172')}`],
			'NeoForge 21.1.172 found in libraries, with the Java options of user_jvm_args.txt.'
		],
		[
			'paper',
			'Paper build 60',
			'1.21.8',
			['-jar', 'paper-1.21.8-60.jar'],
			'Paper jar found: paper-1.21.8-60.jar.'
		],
		['vanilla', 'Vanilla', '1.20.4', ['-jar', 'server.jar'], 'Vanilla jar found: server.jar.']
	])('a %s folder', async (kind, software, gameVersion, args, how) => {
		const { folder, read } = await setup(kind);
		expect(await read()).toMatchObject({
			loader: kind.replace(/-.*/, ''),
			software,
			gameVersion,
			command: { argv: ['java', ...args, 'nogui'], how },
			problem: null,
			worldDir: path.join(folder.dir, 'world')
		});
	});

	test('the command really starts it, with its arguments unchanged and in its folder', async () => {
		const { folder, read } = await setup('fabric');
		const renamed = 'fabric-server-mc.1.21.1-loader.0.16.9-launcher.1.0.1 $(reboot) "a b";.jar';
		await folder.write('start.sh', `java -Xmx2G '-Dnote=$(reboot) ; x' -jar '${renamed}' nogui`);
		const { dir } = folder;
		await rename(
			path.join(dir, 'fabric-server-mc.1.21.1-loader.0.16.9-launcher.1.0.1.jar'),
			path.join(dir, renamed)
		);
		const { command } = await read({ javaHome: folder.javaHome });
		const [file, ...args] = command!.argv;
		expect(file).toBe(folder.java);
		const child = spawn(file!, args, { cwd: dir, stdio: ['ignore', 'pipe', 'inherit'] });
		await once(child.stdout, 'data');
		child.kill();
		await once(child, 'exit');
		expect(await folder.starts()).toMatchObject([
			{ argv: ['-Xmx2G', '-Dnote=$(reboot) ; x', '-jar', renamed, 'nogui'], cwd: dir }
		]);
	});

	test('JAVA_HOME is used when it contains a Java', async () => {
		const { folder, read } = await setup('vanilla');
		const argv = async (javaHome: string) => (await read({ javaHome })).command!.argv[0];
		expect(await argv(folder.javaHome)).toBe(folder.java);
		expect(await argv('/nowhere')).toBe('java');
	});

	test('a renamed launcher is recognised by its contents', async () => {
		const { folder, read } = await setup(null);
		await folder.write(
			'server.jar',
			jar('net.fabricmc.installer.ServerLauncher', {
				'install.properties': 'game-version=26.1-snapshot-3\nfabric-loader-version=0.18.4'
			})
		);
		expect(await read()).toMatchObject({
			loader: 'fabric',
			software: 'Fabric 0.18.4',
			gameVersion: '26.1-snapshot-3',
			command: { argv: ['java', '-jar', 'server.jar', 'nogui'] }
		});
	});

	test.each([
		['purpur-1.20.1-2062.jar', 'paper', 'Purpur build 2062', '1.20.1'],
		['spigot-1.20.4.jar', 'paper', 'Spigot', '1.20.4'],
		['paper.jar', 'paper', 'Paper', null],
		['paper-1.21-pre1-5.jar', 'paper', 'Paper build 5', '1.21-pre1'],
		['forge-1.12.2-14.23.5.2859.jar', 'forge', 'Forge 14.23.5.2859', '1.12.2'],
		['forge-1.12.2-14.23.5.2768-universal.jar', 'forge', 'Forge 14.23.5.2768', '1.12.2'],
		['forge-1.7.10-10.13.4.1614-1.7.10-universal.jar', 'forge', 'Forge 10.13.4.1614', '1.7.10'],
		['minecraft_server.1.12.2.jar', 'vanilla', 'Vanilla', '1.12.2'],
		['fabric-server-launch', 'fabric', 'Fabric', null],
		[
			'fabric-server-mc.26.1-snapshot-3-loader.0.18.4-launcher.1.1.1.jar',
			'fabric',
			'Fabric 0.18.4',
			'26.1-snapshot-3'
		]
	])('%s by its name alone', async (name, loader, software, gameVersion) => {
		const { folder, read } = await setup(null);
		await folder.write(name, 'a jar that cannot be looked into');
		await folder.write('fabric-server-launcher.properties', 'serverJar=/opt/server.jar');
		expect(await read()).toMatchObject({
			loader,
			software,
			gameVersion,
			command: { argv: ['java', '-jar', name, 'nogui'] }
		});
	});

	test.each([
		['neoforge/26.2.0.4-beta', '26.2', '26.2.0.4-beta'],
		['neoforge/26.1.2.7', '26.1.2', '26.1.2.7'],
		['neoforge/21.0.5', '1.21', '21.0.5'],
		['neoforge/20.4.80-beta', '1.20.4', '20.4.80-beta'],
		['forge/1.20.1-47.1.79', '1.20.1', '47.1.79']
	])('the game version by NeoForge %s', async (library, gameVersion, loaderVersion) => {
		const { folder, read } = await setup(null);
		await folder.write(ARGS(`net/neoforged/${library}`), 'example.Main');
		expect(await read()).toMatchObject({ loader: 'neoforge', gameVersion, loaderVersion });
	});

	test('of several versions the newest is chosen, and this is reported', async () => {
		const { folder, read } = await setup(null);
		for (const version of ['21.1.99', '21.1.172', '21.1.100'])
			await folder.write(ARGS(`net/neoforged/neoforge/${version}`), 'example.Main');
		const { command, loaderVersion } = await read();
		expect(loaderVersion).toBe('21.1.172');
		expect(command!.how).toMatch(/NeoForge 21\.1\.172 .*also there: .*21\.1\.100.*21\.1\.99/);
	});

	test('the version that run.sh starts takes precedence over a newer one', async () => {
		const { folder, read } = await setup('neoforge');
		await folder.write(ARGS('net/neoforged/neoforge/21.1.200'), 'example.Main');
		expect(await read()).toMatchObject({ loaderVersion: '21.1.172' });
	});

	test('of two loaders the one that ran last', async () => {
		const { folder, read } = await setup('fabric');
		await folder.write('paper-1.21.8-60.jar', jar('io.papermc.paperclip.Main'));
		expect(await read()).toMatchObject({ loader: 'fabric' });
		await folder.write(
			'logs/latest.log',
			'[10:00:00] [Server thread/INFO]: This server is running Paper version 1.21.8-60 (MC: 1.21.8) (x)\n'
		);
		expect(await read()).toMatchObject({ loader: 'paper' });
	});

	test('a vanilla jar never wins over a loader, whatever a script says', async () => {
		const { folder, read } = await setup('fabric-legacy');
		await folder.write('start.sh', 'java -Xmx2G -jar server.jar nogui\n');
		const { command } = await read();
		expect(command!.argv).toEqual(['java', '-jar', 'fabric-server-launch.jar', 'nogui']);
		expect(command!.how).toMatch(/start\.sh is not followed because it starts server\.jar/);
	});

	test('a jar of an unknown kind is started when the owner’s script starts it', async () => {
		const { folder, read } = await setup('forge');
		await rm(path.join(folder.dir, 'run.sh'));
		await folder.write('mohist-1.20.1.jar', jar('com.example.Start'));
		await folder.write('start.sh', 'java -Xmx6G -jar mohist-1.20.1.jar nogui\n');
		expect((await read()).command!.argv).toEqual([
			'java',
			'-Xmx6G',
			'-jar',
			'mohist-1.20.1.jar',
			'nogui'
		]);
	});

	test('SERVER_COMMAND wins, and what it starts is recognised', async () => {
		const command = {
			argv: ['/opt/java', '-jar', 'custom.jar', '--world', 'a b'],
			how: 'SERVER_COMMAND is set.'
		};
		const { folder, read } = await setup(null);
		expect(await read({ command })).toMatchObject({
			loader: null,
			command,
			problem: null
		});
		await folder.write('custom.jar', jar('io.papermc.paperclip.Main'));
		expect(await read({ command })).toMatchObject({ loader: 'paper', software: 'Paper' });
	});

	test.each([
		[['bash', 'start.sh']],
		[['./start.sh']],
		[['./bedrock_server']],
		[['java', '-jar', 'wrapper.jar']]
	])('SERVER_COMMAND %j names no server jar: the contents of the folder count', async (argv) => {
		const { folder, read } = await setup('fabric');
		await folder.write('start.sh', '#!/bin/sh\nexec java $OPTS -jar fabric*.jar\n');
		await folder.write('bedrock_server', '\x7fELF');
		await folder.write('wrapper.jar', jar('com.example.Start'));
		const command = { argv, how: 'SERVER_COMMAND is set.' };
		expect(await read({ command })).toMatchObject({
			loader: 'fabric',
			loaderVersion: '0.16.9',
			command,
			problem: null
		});
	});

	test('what the script in SERVER_COMMAND starts takes precedence over other jars in the folder', async () => {
		const { folder, read } = await setup('fabric');
		await folder.write('custom.jar', jar('io.papermc.paperclip.Main'));
		await folder.write('start.sh', 'java -jar fabric-server-launch.jar nogui\n');
		await folder.write('evening.sh', '#!/bin/sh\njava -Xmx4G -jar custom.jar nogui\n');
		const how = 'SERVER_COMMAND is set.';
		expect(await read({ command: { argv: ['./evening.sh'], how } })).toMatchObject({
			loader: 'paper'
		});
	});

	test('a script alone is not a server', async () => {
		const { folder, read } = await setup(null);
		await folder.write('start.sh', '#!/bin/sh\nexec ./game\n');
		const command = { argv: ['bash', 'start.sh'], how: 'SERVER_COMMAND is set.' };
		expect(await read({ command })).toMatchObject({ found: false, loader: null, problem: null });
	});

	test('an empty folder says what was looked for and what to do', async () => {
		const { folder, read } = await setup(null);
		const { command, problem, ...rest } = await read();
		expect(command).toBeNull();
		expect(problem).toMatch(/^No server was found in .*SERVER_COMMAND\.$/);
		expect(rest).toEqual({
			found: false,
			eula: false,
			loader: null,
			loaderVersion: null,
			gameVersion: null,
			software: null,
			worldDir: path.join(folder.dir, 'world'),
			motd: null,
			maxPlayers: null,
			game: { host: '127.0.0.1', port: 25565, statusEnabled: true },
			rcon: { enabled: false, host: '127.0.0.1', port: 25575, password: null }
		});
	});

	test('an installer that was never run is named', async () => {
		const { folder, read } = await setup(null);
		await folder.write('neoforge-21.1.172-installer.jar', jar('x'));
		expect((await read()).problem).toMatch(
			/^neoforge-21\.1\.172-installer\.jar .*run the installer/
		);
	});

	test('a launcher without the jar that it starts is a problem', async () => {
		const { folder, read } = await setup('quilt');
		await rm(path.join(folder.dir, 'server.jar'));
		expect(await read()).toMatchObject({
			command: null,
			problem: expect.stringMatching(/needs the game’s own server\.jar/)
		});
	});
});

describe('the owner’s start script', () => {
	const options = async (script: string, name = 'start.sh') => {
		const { folder, read } = await setup('vanilla');
		await folder.write(name, script);
		const { argv, how } = (await read()).command!;
		expect(argv.slice(-3)).toEqual(['-jar', 'server.jar', 'nogui']);
		return { java: argv[0], jvm: argv.slice(1, -3), how };
	};

	test.each<[string, string, string[]]>([
		[
			'a simple line',
			'#!/bin/sh\n# java -Xmx9G -jar server.jar\njava -Xms1G -Xmx4G -jar server.jar nogui\n',
			['-Xms1G', '-Xmx4G']
		],
		['Windows line breaks', 'java -Xmx4G -jar server.jar --nogui\r\n', ['-Xmx4G']],
		[
			'quotes',
			`exec java "-Xmx4G" '-Da=b c' -XX:+UseG1GC -jar "./server.jar" nogui "$@"`,
			['-Xmx4G', '-Da=b c', '-XX:+UseG1GC']
		],
		[
			'a line over several',
			'java -Xmx4G \\\n  -XX:+UseG1GC \\\n  -jar server.jar nogui # go\n',
			['-Xmx4G', '-XX:+UseG1GC']
		],
		[
			'a loop around it',
			'while true; do\n  java -Xmx4G -jar server.jar nogui\n  sleep 5\ndone\n',
			['-Xmx4G']
		],
		['nothing to take over', 'java -jar server.jar\n', []]
	])('%s', async (_, script, jvm) => {
		const read = await options(script);
		expect(read.jvm).toEqual(jvm);
		expect(read.how).toBe(
			`Vanilla jar found: server.jar${jvm.length ? ', with the Java options of start.sh' : ''}.`
		);
	});

	test('its own Java is used too', async () => {
		const read = await options('/usr/lib/jvm/java-21/bin/java -Xmx4G -jar server.jar', 'run.sh');
		expect(read).toMatchObject({ java: '/usr/lib/jvm/java-21/bin/java', jvm: ['-Xmx4G'] });
	});

	test.each([
		['java -Xmx$MEMORY -jar server.jar', 'uses shell variables'],
		['java -Xmx`free -g` -jar server.jar', 'uses shell variables'],
		['java "-Xmx$(cat mem)" -jar server.jar', 'uses shell variables'],
		['cd /srv && java -Xmx4G -jar server.jar', 'uses “&” of the shell'],
		['java -Xmx4G -jar server.jar; rm -rf /', 'uses “;” of the shell'],
		['java -Xmx4G -jar server.jar | tee log', 'uses “|” of the shell'],
		['java -Xmx4G -jar server.jar > log', 'uses “>” of the shell'],
		['screen -dmS mc java -Xmx4G -jar server.jar', 'does not simply start Java'],
		['MEMORY=4G java -Xmx4G -jar server.jar', 'does not simply start Java'],
		['java -Xmx4G -cp x -jar server.jar', 'passes “-cp” to Java'],
		['java -Xmx4G -jar server.jar --port 25566', 'passes “--port” to the server'],
		['java "-Xmx4G -jar server.jar', 'has a quote without an end'],
		['java -Xmx1G -jar server.jar\njava -Xmx2G -jar server.jar', 'has several lines'],
		[`java -Da=${'x'.repeat(9000)} -jar server.jar`, 'has a very long line']
	])('%s is not followed, and the page says why', async (script, why) => {
		const { jvm, how } = await options(script);
		expect(jvm).toEqual([]);
		expect(how).toContain(`start.sh ${why}`);
		expect(how).toMatch(/ and is not followed\.$/);
	});

	test('the check that Forge runs before the start is ignored', async () => {
		const { folder, read } = await setup('forge');
		const file = ARGS('net/minecraftforge/forge/1.20.1-47.2.4');
		await folder.write(
			'run.sh',
			`java -jar forge-1.20.1-shim.jar --onlyCheckJava || exit 1\njava -Xmx5G @user_jvm_args.txt @${file} "$@"\n`
		);
		const { command } = await read();
		expect(command!.argv).toEqual(['java', '-Xmx5G', '@user_jvm_args.txt', `@${file}`, 'nogui']);
		expect(command!.how).toMatch(/Java options of run\.sh/);
	});

	test('a missing user_jvm_args.txt is left out', async () => {
		const { folder, read } = await setup('neoforge');
		await rm(path.join(folder.dir, 'user_jvm_args.txt'));
		expect((await read()).command!.argv[1]).toBe(`@${ARGS('net/neoforged/neoforge/21.1.172')}`);
	});
});

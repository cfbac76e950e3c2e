import { describe, expect, test } from 'vitest';
import { READY_LINE, type Diagnosis } from './diagnosis.ts';
import { type Left, why, READY, TRACE } from '../../../../../tests/fakes/game/ended-server.ts';

const STARTED = '[10:00:00] [Server thread/INFO]: Starting Minecraft server on *:25570';

describe('the ready line', () => {
	test.each([
		READY,
		'Done (22.759s)! For help, type "help"',
		'[18:46:50] [Server thread/INFO]: Done (3,241s)! For help, type "help" or "?"',
		'[26Feb2025 07:34:30.790] [Server thread/INFO] [net.minecraft.server.dedicated.DedicatedServer/]: Done (10.098s)! For help, type "help"',
		'[25mai.2025 07:34:30.790] [Server thread/INFO] [minecraft/DedicatedServer]: Done (1s)! For help, type "help"',
		'[212\ufffd\ufffd2025 12:24:31.148] [Server thread/INFO] [x/]: Done (10.098s)! For help, type "help"',
		'[10:00:00 INFO]: Done (6.3s)! For help, type "help"',
		'[10:00:00] [Server thread/INFO] (Minecraft) Done (6.3s)! For help, type "help"',
		'\u001b[32m[10:00:00 INFO]: Done (6.3s)! For help, type "help"'
	])('%s', (line) => {
		expect(READY_LINE.test(line)).toBe(true);
	});

	test.each([
		'[10:00:00] [Server thread/INFO]: [Geyser-Spigot] Done (2.101s)! Run /geyser help for help!',
		'[10:00:00] [Server thread/INFO]: Done (2.101s)! Run /geyser help for help!',
		'[10:00:00] [Server thread/INFO]: Done preparing level "world" (6.3s)',
		'[10:00:00] [Server thread/INFO]: <Steve> Done (8.5s)! For help, type "help"',
		'[10:00:00] [Server thread/INFO]: [Not Secure] <Steve> Done (8.5s)! For help',
		'[10:00:00] [Server thread/INFO]: [Rcon] Done (8.5s)! For help',
		'[10:00:00] [Server thread/INFO]: * Steve Done (8.5s)! For help',
		'[10:00:00] [Server thread/INFO]: <Steve> [10:00:00 INFO]: Done (8.5s)! For help',
		'[10:00:00] [Server thread/INFO]: <Steve> /INFO]: Done (8.5s)! For help',
		' Done (8.5s)! For help',
		'Steve said Done (8.5s)! For help'
	])('not %s', (line) => {
		expect(READY_LINE.test(line)).toBe(false);
	});
});

describe('reasons outside the mods', () => {
	test.each<[string, Left, Partial<Diagnosis>]>([
		[
			'the EULA',
			{
				log: '[10:00:00] [main/INFO]: You need to agree to the EULA in order to run the server. Go to eula.txt for more info.',
				exit: { code: 0, signal: null }
			},
			{
				code: 'eula',
				message: 'The server did not start because the Minecraft EULA has not been accepted.'
			}
		],
		[
			'a port in use',
			{
				log: [
					STARTED,
					'[10:00:01] [Server thread/WARN]: **** FAILED TO BIND TO PORT!',
					'[10:00:01] [Server thread/WARN]: The exception was: java.net.BindException: Address already in use',
					'[10:00:01] [Server thread/WARN]: Perhaps a server is already running on that port?'
				].join('\n'),
				exit: { code: 0, signal: null }
			},
			{ code: 'port', message: 'Port 25570 is already in use, so the server could not start.' }
		],
		[
			'a port in use, by epoll',
			{
				log: '[10:00:01] [Server thread/WARN] [x/]: **** FAILED TO BIND TO PORT!\n[10:00:01] [Server thread/WARN] [x/]: The exception was: io.netty.channel.unix.Errors$NativeIoException: bind(..) failed: Address already in use'
			},
			{ code: 'port', message: expect.stringContaining('already in use') }
		],
		[
			'an address of another machine',
			{
				log: '[10:00:01] [Server thread/WARN]: **** FAILED TO BIND TO PORT!\n[10:00:01] [Server thread/WARN]: The exception was: java.net.BindException: Cannot assign requested address'
			},
			{ code: 'port', message: expect.stringContaining('server-ip') }
		],
		[
			'a port that only says so in a trace',
			{ output: `java.net.BindException: Address already in use\n${TRACE}` },
			{ code: 'port' }
		],
		[
			'a world that is open elsewhere',
			{
				log: `[10:00:00] [main/ERROR]: Failed to start the minecraft server\nnet.minecraft.util.DirectoryLock$LockException: /srv/mc/./world/session.lock: already locked (possibly by other Minecraft instance?)\n${TRACE}`
			},
			{
				code: 'world-locked',
				log: expect.arrayContaining([expect.stringContaining('session.lock')])
			}
		],
		[
			'a full disk',
			{
				log: `${READY}\n[10:00:00] [IO-Worker-1/ERROR]: Failed to store chunk\njava.io.IOException: No space left on device`
			},
			{ code: 'unknown', message: 'The disk is full.' }
		],
		[
			'files of another user',
			{ output: 'java.nio.file.AccessDeniedException: ./world/session.lock' },
			{ code: 'unknown', message: expect.stringContaining('./world/session.lock') }
		],
		[
			'a jar that is gone',
			{ output: 'Error: Unable to access jarfile fabric-server-launch.jar' },
			{ code: 'unknown', message: expect.stringContaining('fabric-server-launch.jar is missing') }
		],
		[
			'a game jar that is gone',
			{ output: 'The Minecraft server .JAR is missing (/srv/mc/server.jar)!' },
			{ code: 'unknown', message: expect.stringContaining('/srv/mc/server.jar is missing') }
		]
	])('%s', (_, left, expected) => {
		expect(why(left)).toMatchObject({ restartable: false, mods: [], ...expected });
	});

	test('a port that a mod could not open does not matter while the server runs', () => {
		const log = `${READY}\n[10:00:10] [BlueMap/ERROR]: Failed to start web server\njava.net.BindException: Address already in use`;
		expect(why({ log }).code).not.toBe('port');
	});
});

describe('Java and memory', () => {
	test.each<[string, Left, Partial<Diagnosis>]>([
		[
			'too old for the game',
			{
				output: `Error: LinkageError occurred while loading main class net.minecraft.bundler.Main\n\tjava.lang.UnsupportedClassVersionError: net/minecraft/bundler/Main has been compiled by a more recent version of the Java Runtime (class file version 65.0), this version of the Java Runtime only recognizes class file versions up to 61.0`
			},
			{
				message:
					'The server or one of its mods needs Java 21 (class file version 65), but it was started with Java 17 (class file version 61).',
				advice: expect.stringContaining('Install Java 21')
			}
		],
		[
			'Java 7',
			{
				output:
					'Exception in thread "main" java.lang.UnsupportedClassVersionError: x/Y : Unsupported major.minor version 52.0'
			},
			{ message: expect.stringContaining('Java 8 (class file version 52)') }
		],
		[
			'Paper',
			{
				output:
					'Unsupported Java detected (61.0). This version of Minecraft requires at least Java 21. Check your Java version.'
			},
			{
				message:
					'The server needs at least Java 21, but it was started with Java 17 (class file version 61).'
			}
		],
		[
			'an old Paper',
			{ output: 'Unsupported Java detected (61.0). Only up to Java 16 is supported.' },
			{ message: expect.stringContaining('up to Java 16') }
		],
		[
			'Java 8 and files of arguments',
			{ output: 'Error: Could not find or load main class @user_jvm_args.txt' },
			{ message: expect.stringContaining('Java 8') }
		],
		[
			'too new for an old Forge',
			{
				output: `Caused by: java.lang.ClassCastException: class jdk.internal.loader.ClassLoaders$AppClassLoader cannot be cast to class java.net.URLClassLoader`
			},
			{ message: expect.stringContaining('needs Java 8') }
		],
		[
			'an option that it does not know',
			{
				output:
					"Unrecognized VM option 'UseConcMarkSweepGC'\nError: Could not create the Java Virtual Machine."
			},
			{ message: 'This Java does not know the option UseConcMarkSweepGC.' }
		],
		[
			'only warnings of classes it cannot read',
			{
				log: '[07avr.2024 15:43:04.411] [main/WARN] [mixin/]: Error loading class: java/util/AbstractSet (java.lang.IllegalArgumentException: Unsupported class file major version 66)'
			},
			{ message: expect.stringContaining('Java 22 (class file version 66)') }
		],
		[
			'a mod that wants another',
			{
				log: `[10:00:00] [main/ERROR]: Incompatible mods found!\nnet.fabricmc.loader.impl.FormattedException: Some of your mods are incompatible with the game or each other!\nA potential solution has been determined, this may resolve your problem:\n\t - Replace 'OpenJDK 64-Bit Server VM' (java) 17 with version 21 or later.\nMore details:\n\t - Mod 'Big Mod' (bigmod) 2.0 requires version 21 or later of 'OpenJDK 64-Bit Server VM' (java), but only the wrong version is present: 17!\n${TRACE}`
			},
			{ message: 'The mods need Java 21, but the server was started with Java 17.' }
		]
	])('wrong Java: %s', (_, left, expected) => {
		expect(why(left)).toMatchObject({ code: 'java-version', restartable: false, ...expected });
	});

	test.each<Left>([
		{ output: 'sh: 1: java: not found' },
		{ output: 'run.sh: line 3: java: command not found' },
		{ output: 'Error: spawn java ENOENT', exit: null },
		{ exit: { code: 127, signal: null } }
	])('no Java: %j', (left) => {
		expect(why(left)).toMatchObject({ code: 'java-missing', restartable: false });
	});

	test.each<[Left, boolean]>([
		[
			{
				log: `${READY}\n[10:00:00] [Server thread/ERROR]: Encountered an unexpected exception\njava.lang.OutOfMemoryError: Java heap space\n${TRACE}`
			},
			true
		],
		[
			{
				output: 'Terminating due to java.lang.OutOfMemoryError: Java heap space',
				exit: { code: 3, signal: null }
			},
			true
		],
		[
			{
				output: 'Exception in thread "main" java.lang.OutOfMemoryError: GC overhead limit exceeded'
			},
			true
		],
		[
			{ output: '#\n# There is insufficient memory for the Java Runtime Environment to continue.' },
			false
		],
		[
			{
				output:
					'Error occurred during initialization of VM\nCould not reserve enough space for 8388608KB object heap'
			},
			false
		],
		[{ output: 'Invalid maximum heap size: -Xmx40000G' }, false],
		[{ exit: { code: 137, signal: null } }, true],
		[{ exit: { code: null, signal: 'SIGKILL' } }, true]
	])('memory: %j', (left, restartable) => {
		expect(why(left)).toMatchObject({ code: 'memory', restartable });
	});
});

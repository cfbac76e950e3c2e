import { describe, expect, test } from 'vitest';
import { diagnose, READY_LINE, type Diagnosis } from './diagnosis.ts';
import type { ProcessExit } from './process.ts';

const EXIT_1 = { code: 1, signal: null };
type Left = { log?: string; output?: string; crashReport?: string; exit?: ProcessExit | null };
const why = ({ log = '', output = '', crashReport, exit = EXIT_1 }: Left) =>
	diagnose({
		log: log.split('\n'),
		output: output.split('\n'),
		crashReport: crashReport ?? null,
		exit
	});

const STARTED = '[10:00:00] [Server thread/INFO]: Starting Minecraft server on *:25570';
const READY = '[10:00:09] [Server thread/INFO]: Done (8.521s)! For help, type "help"';
const TRACE = '\tat example.Main.main(Main.java:1) ~[server.jar:?]\n\t... 6 more';

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

	test('a port that a mod could not open is nothing to a server that runs', () => {
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

describe('mods that do not fit', () => {
	const FABRIC = (body: string) =>
		`[10:00:00] [main/ERROR]: Incompatible mods found!\nnet.fabricmc.loader.impl.FormattedException: Some of your mods are incompatible with the game or each other!\n${body}\n${TRACE}\n[10:00:01] [main/INFO]: - Mod 'Chat' (chat) says hello`;

	test('Fabric', () => {
		expect(
			why({
				log: FABRIC(
					[
						'A potential solution has been determined, this may resolve your problem:',
						'\t - Install sodium, version 0.5.0 or later.',
						'\t - Replace mod ‘Cloth Config’ (cloth-config) 11.1.0 with version 12.',
						'More details:',
						"\t - Mod 'Sodium Extra' (sodium-extra) 0.5.4+mc1.20.1 requires version 0.5.0 or later of sodium, which is missing!",
						"\t - Mod 'Wet Grass' (wet-grass) 1.0 requires version 12 of mod 'Cloth Config' (cloth-config), but only the wrong version is present: 11.1.0!",
						"\t - Mod 'Old' (old_mod) 1.0 requires version 1.19.2 of 'Minecraft' (minecraft), but only the wrong version is present: 1.20.1!"
					].join('\n')
				)
			})
		).toEqual({
			code: 'mods',
			message:
				"The mod loader refuses these mods: Mod 'Sodium Extra' (sodium-extra) 0.5.4+mc1.20.1 requires version 0.5.0 or later of sodium, which is missing! (and 2 more)",
			log: expect.arrayContaining([expect.stringContaining('Incompatible mods found!')]),
			mods: ['sodium-extra', 'wet-grass', 'cloth-config', 'old_mod'],
			advice:
				'The loader suggests: Install sodium, version 0.5.0 or later. Replace mod ‘Cloth Config’ (cloth-config) 11.1.0 with version 12.',
			restartable: false
		});
	});

	test('Fabric with a suggestion of several lines: what stands below it is no mod', () => {
		expect(
			why({
				log: FABRIC(
					[
						"\t - Replace mod 'Lithium' (lithium) 0.13.0 with any version that is compatible with:",
						'\t\t - minecraft 1.21.1',
						'\t\t - fabricloader 0.16.9',
						'More details:',
						"\t - Mod 'Lithium' (lithium) 0.13.0 requires version 1.21.4 or later of 'Minecraft' (minecraft), but only the wrong version is present: 1.21.1!"
					].join('\n')
				)
			})
		).toMatchObject({
			message:
				"The mod loader refuses these mods: Mod 'Lithium' (lithium) 0.13.0 requires version 1.21.4 or later of 'Minecraft' (minecraft), but only the wrong version is present: 1.21.1!",
			mods: ['lithium'],
			advice:
				"The loader suggests: Replace mod 'Lithium' (lithium) 0.13.0 with any version that is compatible with: minecraft 1.21.1 fabricloader 0.16.9"
		});
	});

	test('Fabric in another language', () => {
		const log = `[10:00:00] [main/ERROR]: 有不兼容的模组！ (Incompatible mods found!)\n - 模组 'Fabric API' (fabric) 0.42.0 需要 'Minecraft' (minecraft) 的 1.16.2，但已经安装了的版本 1.16.1 不对！`;
		expect(why({ log })).toMatchObject({ code: 'mods', mods: ['fabric'] });
	});

	test.each([
		'net.fabricmc.loader.discovery.ModResolutionException: Could not find required mod: foo requires {bar @ [*]}',
		'net.fabricmc.loader.impl.discovery.ModResolutionException: Mod resolution encountered an incompatible mod set!\n\t - Mod foo 1.0 requires any version of mod bar, which is missing!'
	])('an older Fabric: %s', (log) => {
		expect(why({ log })).toMatchObject({ code: 'mods', message: expect.stringContaining('foo') });
	});

	test('Quilt', () => {
		const crashReport = `---- Quilt Loader: Failed to load ----\nDate/Time: 2026/05/06 18:04:47\n\n-- Error 1 --\n\nUnhandled solver error involving the following rules:\nRule 1:\nMandatory mod Goslightly (goslightly) v0.0.3\nRule 2:\nMandatory mod AutoPack (autopack) v3.3.0\n\n-- Plugin State --\n\n-- Mod Table --\nMandatory mod Other (other) v1`;
		expect(why({ crashReport })).toMatchObject({
			code: 'mods',
			mods: ['goslightly', 'autopack'],
			restartable: false
		});
		expect(
			why({ log: '-- Error 1 --\n\nSodium requires version [0.5.0,) of indium, which is missing!' })
		).toMatchObject({ code: 'mods', message: expect.stringContaining('Sodium requires version') });
	});

	test('Forge and NeoForge: a missing dependency', () => {
		const log = `[30May2025 10:00:00.123] [main/ERROR] [net.minecraftforge.fml.loading.ModSorter/LOADING]: Missing or unsupported mandatory dependencies:\n\tMod ID: 'geckolib', Requested by: 'cave_dweller', Expected range: '[4.2,)', Actual version: '[MISSING]'\n\tMod ID: 'minecraft', Requested by: 'oldmod', Expected range: '[1.19.2]', Actual version: '1.20.1'\n\tMod ID: 'curios', Requested by: 'rings', Expected range: '[6,)', Actual version: '5.4.2'`;
		expect(why({ log, output: log })).toMatchObject({
			code: 'mods',
			message: 'The mod cave_dweller needs geckolib [4.2,), which is missing (and 2 more).',
			mods: ['cave_dweller', 'oldmod', 'rings', 'curios'],
			advice: 'Install geckolib in a fitting version, or remove cave_dweller.'
		});
	});

	test.each<[string, string, string[], string]>([
		[
			'NeoForge in plain words',
			'[10:00:00] [main/ERROR]: Failed to start the minecraft server\nnet.neoforged.fml.ModLoadingException: Loading errors encountered:\n\t- Mod §esolstice§r requires §6forge§r §o47 or above§r\n\t  Currently, §6forge§r is not installed',
			['solstice'],
			'solstice needs forge 47 or above'
		],
		[
			'duplicates',
			"[10:00:00] [main/ERROR] [UniqueModListBuilder/LOADING]: Found duplicate mods:\n\tMod ID: 'jei' from mod files: jei-1.20.1-15.2.jar, jei-1.20.1-15.3.jar\n[10:00:01] [main/ERROR]: Failed to build unique mod list\nnet.minecraftforge.fml.loading.EarlyLoadingException: Duplicate mods found",
			['jei'],
			'jei is there more than once: jei-1.20.1-15.2.jar, jei-1.20.1-15.3.jar'
		],
		[
			'duplicates of 1.12',
			'[10:00:00] [Server thread/FATAL] [FML]: Found a duplicate mod replaymod at [/srv/mc/./mods/replay-2.5.jar, ./mods/replay-2.6.jar]\n[10:00:00] [Server thread/ERROR] [x]: Encountered an unexpected exception',
			['replaymod'],
			'replay-2.5.jar, replay-2.6.jar'
		],
		[
			'a missing mod of 1.12',
			'[10:00:00] [Server thread/FATAL] [FML]: net.minecraftforge.fml.common.MissingModsException: Mod jee (Just Enough Energistics) requires [jei@[4.14.3.242,)]',
			['jee'],
			'Just Enough Energistics needs jei@[4.14.3.242,)'
		],
		[
			'a mod for another loader version',
			'[10:00:00] [main/ERROR] [ne.mi.fm.lo.LanguageLoadingProvider/LOADING]: Missing language kotlinforforge version [1,) wanted by Resourcify-1.2.1.jar, found null',
			['Resourcify-1.2.1.jar'],
			'Resourcify-1.2.1.jar is made for another version of the loader'
		],
		[
			'a damaged jar',
			'[10:00:00] [main/ERROR]: boom\nError analyzing [/srv/mc/mods/torn-1.0.jar]: java.util.zip.ZipException: zip END header not found',
			['torn-1.0.jar'],
			'torn-1.0.jar is damaged'
		]
	])('%s', (_, log, mods, words) => {
		expect(why({ log })).toMatchObject({
			code: 'mods',
			mods,
			message: expect.stringContaining(words),
			restartable: false
		});
	});
});

describe('mods that fail', () => {
	test('one that only the client can run', () => {
		const log = `[10:00:00] [main/ERROR] [x.RuntimeDistCleaner/DISTXFORM]: Attempted to load class net/minecraft/client/gui/screens/Screen for invalid dist DEDICATED_SERVER\n[10:00:01] [main/ERROR]: Failed to start the minecraft server\nnet.minecraftforge.fml.LoadingFailedException: Loading errors encountered: [\n\tOk Zoomer (ok_zoomer) has failed to load correctly\n§7java.lang.NoClassDefFoundError: net/minecraft/client/gui/screens/Screen\n]`;
		expect(why({ log })).toMatchObject({
			code: 'mods',
			message: 'The mod Ok Zoomer (ok_zoomer) uses parts of the game that only the client has.',
			mods: ['ok_zoomer'],
			advice: expect.stringMatching(/^Remove or disable it here/),
			restartable: false
		});
	});

	test('one that NeoForge names only in its crash report', () => {
		const crashReport = `---- Minecraft Crash Report ----\n// Oops.\n\nTime: 2026-05-29 14:27:55\nDescription: Mod loading failures have occurred; consult the issue messages for more details\n\nnet.neoforged.neoforge.logging.CrashReportExtender$ModLoadingCrashException: Mod loading has failed\n\n\n-- Head --\nThread: main\n\n-- Mod loading issue for: zoomy --\nDetails:\n\tMod file: /srv/mods/zoomy-1.0.jar\n\tFailure message: Zoomy View (zoomy) has failed to load correctly\n\t\tjava.lang.ExceptionInInitializerError: null\n\tException message: java.lang.RuntimeException: Attempted to load class me/Screen for invalid dist DEDICATED_SERVER\n\n-- System Details --\n\tMod List:\n\t\tother.jar |Other |other |1.0 |(other) has failed to load correctly`;
		expect(why({ crashReport })).toMatchObject({
			code: 'mods',
			mods: ['zoomy'],
			message: expect.stringContaining('Zoomy View (zoomy)'),
			restartable: false
		});
	});

	test('one whose start-up code fails, with the innermost cause', () => {
		const log = `[10:00:00] [main/ERROR]: A mod crashed on startup!\nnet.fabricmc.loader.impl.FormattedException: java.lang.RuntimeException: Could not execute entrypoint stage 'main' due to errors, provided by 'astral_dice'!\n${TRACE}\nCaused by: java.lang.RuntimeException: wrapper\n${TRACE}\nCaused by: java.lang.NoSuchMethodError: 'void net.minecraft.class_2960.<init>()'\n${TRACE}`;
		expect(why({ log })).toMatchObject({
			code: 'mods',
			mods: ['astral_dice'],
			message: expect.stringMatching(/^The mod astral_dice failed .* NoSuchMethodError: 'void/)
		});
	});

	test.each<[string, string]>([
		[
			'polymc',
			'[16:02:01] [main/ERROR]: Mixin apply for mod polymc failed polymc.mixins.json:Disabler -> net.example.Sync: org.spongepowered.asm.mixin.injection.throwables.InvalidInjectionException Critical injection failure'
		],
		[
			'seedcrackerx',
			'Caused by: org.spongepowered.asm.mixin.throwables.MixinApplyError: Mixin [seedcracker.mixins.json:ClientMixin from mod seedcrackerx] from phase [DEFAULT] in config [seedcracker.mixins.json] FAILED during APPLY'
		],
		[
			'randompatches',
			'[05Feb2021 18:41:17.561] [main/FATAL] [mixin/]: Mixin apply failed randompatches.mixins.json:server.ServerMixin -> net.minecraft.Server: x'
		],
		[
			'create',
			'[10:00:00] [main/ERROR]: Mixin apply failed mixins.create.common.json:Foo -> net.minecraft.Server: x'
		]
	])('a mixin of %s', (mod, log) => {
		expect(why({ log })).toMatchObject({
			code: 'mods',
			mods: [mod],
			message: expect.stringContaining(`The mod ${mod} could not change the game`),
			restartable: false
		});
	});

	test('warnings of mixins are none of it', () => {
		const log = `[21:55:43] [main/WARN]: Error loading class: net/minecraft/client/X (java.lang.ClassNotFoundException: x)\n[21:55:43] [main/WARN]: @Mixin target net.minecraft.client.X was not found map.mixins.json:client.X from mod map\n[21:55:43] [main/WARN]: Mixin apply for mod map failed map.mixins.json:X -> y`;
		expect(why({ log }).code).toBe('unknown');
	});

	test('a class of the client while the server runs: it may start again', () => {
		const crashReport = `---- Minecraft Crash Report ----\nDescription: Ticking entity\n\njava.lang.RuntimeException: Attempted to load class net/minecraft/client/Minecraft for invalid dist DEDICATED_SERVER\n${TRACE}\n\n-- Head --\nThread: Server thread\nSuspected Mods: \n\tSeb's Dig (sebsdig), Version: 1.0.1\n\t\tat TRANSFORMER/sebsdig@1.0.1/com.example.Events.run(Events.java:168)\n\n\tAlex's Zoo (zoo), Version: 1.22.9\n\t\tIssue tracker URL: https://example.org\nStacktrace:\n${TRACE}\n-- System Details --\n`;
		expect(why({ crashReport, log: READY })).toMatchObject({
			code: 'mods',
			message: "The mod Seb's Dig (sebsdig) uses parts of the game that only the client has.",
			mods: ['sebsdig', 'zoo'],
			restartable: true
		});
	});

	test('loading that failed without naming anyone', () => {
		const log =
			'[10:00:00] [main/FATAL] [x.ModLoader/]: Failed to complete lifecycle event CONSTRUCT, 1 errors found';
		expect(why({ log })).toMatchObject({ code: 'mods', mods: [], restartable: false });
	});
});

describe('crashes', () => {
	const REPORT = (head: string) =>
		`---- Minecraft Crash Report ----\n// Hi. I'm Minecraft, and I'm a crashaholic.\n\nTime: 2026-02-20 20:31:51\nDescription: Ticking block entity\n\njava.lang.NullPointerException: Cannot invoke "x.Y.z()"\n\tat TRANSFORMER/minecraft@1.21.1/net.minecraft.Level.tick(Level.java:1) ~[server-1.21.1.jar%23153!/:?] {re:mixin}\n\tat TRANSFORMER/pipez@2.1/example.Pipe.tick(Pipe.java:9) ~[pipez-2.1.jar%23110!/:2.1] {}\n\tat MC-BOOTSTRAP/fml_loader@4.0.39/x.Y.z(Y.java:1) ~[loader-4.0.39.jar%2359!/:4.0] {}\n\nA detailed walkthrough of the error\n\n-- Head --\nThread: Server thread\n${head}\n-- System Details --\nDetails:\n\tSuspected Mods: NONE`;

	test('the mods in the trace are suspected', () => {
		expect(why({ crashReport: REPORT(''), log: READY })).toMatchObject({
			code: 'crash',
			message:
				'The server crashed (Ticking block entity): NullPointerException: Cannot invoke "x.Y.z()"',
			mods: ['pipez'],
			advice: expect.stringContaining('pipez'),
			restartable: true
		});
	});

	test.each([
		[
			'Suspected Mods: Fabric Lifecycle Events (v1) (fabric-lifecycle-events-v1), Big Mod (bigmod)',
			['fabric-lifecycle-events-v1', 'bigmod']
		],
		['Suspected Mods: Minecraft (minecraft), Fabric Loader (fabricloader)', ['pipez']],
		['Suspected Mods: NONE', ['pipez']]
	])('%s', (head, mods) => {
		expect(why({ crashReport: REPORT(head) })).toMatchObject({ code: 'crash', mods });
	});

	test('a mixin in the trace names its mod, and a jar is better than nothing', () => {
		const log = (frame: string) =>
			`[10:00:00] [Server thread/ERROR]: Encountered an unexpected exception\njava.lang.IllegalStateException: x\n\tat net.minecraft.class_3218.method_1(class_3218.java:1) ~[server-intermediary.jar:?]\n\tat ${frame}\n[10:00:01] [Server thread/INFO]: Stopping server`;
		expect(
			why({ log: log('net.minecraft.class_1.handler$zza000$lithium$tick(class_1.java:9)') }).mods
		).toEqual(['lithium']);
		expect(
			why({ log: log('me.example.X.y(X.java:9) ~[lithium-fabric-0.11.2.jar:?]') }).mods
		).toEqual(['lithium-fabric-0.11.2.jar']);
	});

	test('from the log alone', () => {
		const log = `${READY}\n[22:04:48] [Server thread/ERROR]: Encountered an unexpected exception\nf: Exception ticking world\n${TRACE}\nCaused by: java.util.ConcurrentModificationException\n${TRACE}\n[22:04:48] [Server thread/ERROR]: This crash report has been saved to: /srv/mc/crash.txt`;
		expect(why({ log, exit: { code: 0, signal: null } })).toMatchObject({
			code: 'crash',
			message: 'The server crashed: f: Exception ticking world',
			log: [
				expect.stringContaining('Encountered an unexpected exception'),
				'f: Exception ticking world',
				'Caused by: java.util.ConcurrentModificationException'
			]
		});
	});

	test('the watchdog, also when a crash follows', () => {
		const log = `${READY}\n[22:04:43] [Server Watchdog/FATAL]: A single server tick took 60.16 seconds (should be max 0.05)\n[22:04:43] [Server Watchdog/FATAL]: Considering it to be crashed, server will forcibly shutdown.\n[22:04:48] [Server thread/ERROR]: Encountered an unexpected exception\nf: Exception ticking world`;
		expect(why({ log })).toMatchObject({
			code: 'watchdog',
			message: 'The game stopped itself because one tick took 60 seconds.',
			restartable: true
		});
		const crashReport = `---- Minecraft Crash Report ----\nDescription: Watching Server\n\njava.lang.Error: ServerHangWatchdog detected that a single server tick took 60.00 seconds\n\tat TRANSFORMER/pipez@2.1/example.Pipe.tick(Pipe.java:9)\n`;
		expect(why({ crashReport })).toMatchObject({ code: 'watchdog', mods: ['pipez'] });
	});

	test('a slow tick alone is no crash', () => {
		const log = `[22:04:43] [Server Watchdog/WARN]: A single server tick took 20.16 seconds (should be max 0.05)`;
		expect(why({ log }).code).toBe('unknown');
	});

	test('Java itself', () => {
		const output =
			'#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n#  SIGSEGV (0xb) at pc=0x00007f';
		expect(why({ output, exit: { code: 134, signal: null } })).toMatchObject({
			code: 'crash',
			message: 'Java itself crashed.'
		});
		expect(why({ crashReport: output })).toMatchObject({ message: 'Java itself crashed.' });
		expect(why({ exit: { code: null, signal: 'SIGSEGV' } })).toMatchObject({ code: 'crash' });
	});
});

describe('ends without a word', () => {
	test('stopped in the game', () => {
		for (const said of [
			'Stopping the server',
			'[Steve: Stopping the server]',
			'[Rcon: Stopping the server]'
		])
			expect(why({ log: `${READY}\n[10:00:00] [Server thread/INFO]: ${said}` })).toMatchObject({
				code: 'unknown',
				message: expect.stringContaining('stopped from its console'),
				restartable: false
			});
		expect(
			why({ log: `${READY}\n[10:00:00] [Server thread/INFO]: <Steve> Stopping the server` }).message
		).toMatch(/did not say why/);
	});

	test('ended from outside', () => {
		expect(why({ exit: { code: 143, signal: null } }).message).toContain('SIGTERM');
		expect(why({ exit: { code: null, signal: 'SIGINT' } }).message).toContain('SIGINT');
	});

	test('nothing at all', () => {
		expect(why({ exit: null })).toEqual({
			code: 'unknown',
			message: 'The server ended and did not say why.',
			log: [],
			mods: [],
			advice: expect.any(String),
			restartable: true
		});
		expect(why({ exit: { code: 70, signal: null } }).message).toContain('with exit code 70');
	});

	test('the last errors are shown, not what players wrote', () => {
		const log = `${READY}\n[10:00:00] [Server thread/INFO]: <Steve> my address is 203.0.113.7\n[10:00:01] [Server thread/ERROR]: Something broke\n\tat x.Y.z(Y.java:1)`;
		expect(why({ log }).log).toEqual(['[10:00:01] [Server thread/ERROR]: Something broke']);
	});
});

describe('hostile text', () => {
	const SAID = [
		'You need to agree to the EULA in order to run the server',
		'**** FAILED TO BIND TO PORT!',
		'java.lang.OutOfMemoryError: Java heap space',
		'/world/session.lock: already locked (possibly by other Minecraft instance?)',
		'Incompatible mods found!',
		'No space left on device',
		'Could not execute entrypoint stage x due to errors, provided by victim',
		'Encountered an unexpected exception',
		'Considering it to be crashed, server will forcibly shutdown.',
		'Mixin apply for mod victim failed victim.mixins.json:X -> y'
	];

	test.each(['<Steve> ', '[Not Secure] <Steve> ', '[Rcon] ', '* Steve '])(
		'what players write after “%s” decides nothing',
		(who) => {
			for (const text of SAID) {
				const lines = [`[10:00:00] [Server thread/INFO]: ${who}${text}`];
				lines.push(`[10:00:00 INFO]: ${who}${text}`);
				lines.push(`[10:00:00] [Server thread/INFO]: ${who}/ERROR]: ${text}`);
				lines.push(`[10:00:00] [Server thread/INFO]: ${who}[10:00:00] [main/ERROR]: ${text}`);
				lines.push(`[10:00:00] [Async Chat Thread - #0/INFO]: ${who}]: ${text}`);
				expect(why({ log: lines.join('\n') }), text).toMatchObject({ code: 'unknown', mods: [] });
			}
		}
	);

	test('formatting, control characters and direction marks are taken out', () => {
		const found = why({
			log: `\u001b[31m[10:00:00] [main/ERROR]: §cMixin apply for mod evil failed \u202ee.mixins.json:X\u0007 -> y\u001b[0m`
		});
		expect(found.mods).toEqual(['evil']);
		// eslint-disable-next-line no-control-regex
		expect(JSON.stringify(found)).not.toMatch(/\\u|§|[\u0000-\u001f\u202e]/);
	});

	test('everything is bounded', () => {
		const found = why({
			log: Array.from(
				{ length: 50_000 },
				(_, i) =>
					`[10:00:00] [main/ERROR]: Mod ID: 'a${i}', Requested by: 'b${i}', Expected range: '[1,)', Actual version: '2' ${'x'.repeat(5000)}`
			).join('\n')
		});
		expect(found.code).toBe('mods');
		expect(found.mods.length).toBeLessThanOrEqual(20);
		expect(found.log.length).toBeLessThanOrEqual(12);
		expect(Math.max(...found.log.map((line) => line.length))).toBeLessThanOrEqual(300);
		expect(found.message.length).toBeLessThanOrEqual(500);
	});

	test('no mixture of lines and bytes makes it throw', () => {
		const parts = [
			...SAID,
			'[10:00:00] [main/ERROR]: ',
			'\tat ',
			'Caused by: ',
			'Mod ID: ',
			"'",
			'(',
			')',
			'-- Error 1 --',
			'\n',
			'\n',
			'\0',
			'\ud800',
			'Description: ',
			'Suspected Mods: ',
			'Mixin [',
			'MissingModsException: Mod ',
			'a.b.CException: '
		];
		const seed = Date.now() >>> 0;
		let state = seed;
		const next = (below: number) => {
			state = (Math.imul(state, 1103515245) + 12345) >>> 0;
			return Math.floor((state / 2 ** 32) * below);
		};
		const text = () => Array.from({ length: next(40) }, () => parts[next(parts.length)]).join('');
		for (let round = 0; round < 300; round++) {
			const left = { log: text(), output: text(), crashReport: text() };
			expect(() => why(left), `seed ${seed}: ${JSON.stringify(left)}`).not.toThrow();
		}
	});
});

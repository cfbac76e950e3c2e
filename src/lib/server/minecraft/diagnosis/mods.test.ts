import { describe, expect, test } from 'vitest';
import { why, READY, TRACE } from '../../../../../tests/fakes/game/ended-server.ts';

describe('incompatible mods', () => {
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
				"The mod loader refuses these mods: Mod 'Sodium Extra' (sodium-extra) 0.5.4+mc1.20.1 requires version 0.5.0 or later of sodium, which is missing! (and 2 more).",
			log: expect.arrayContaining([expect.stringContaining('Incompatible mods found!')]),
			mods: ['sodium-extra', 'wet-grass', 'cloth-config', 'old_mod'],
			advice:
				'The loader suggests: Install sodium, version 0.5.0 or later. Replace mod ‘Cloth Config’ (cloth-config) 11.1.0 with version 12.',
			restartable: false
		});
	});

	test('Fabric with a suggestion of several lines: what follows it is not a mod', () => {
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
				"The loader suggests: Replace mod 'Lithium' (lithium) 0.13.0 with any version that is compatible with: minecraft 1.21.1 fabricloader 0.16.9."
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
			advice: 'Install a matching version of geckolib, or remove cave_dweller.'
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
		],
		[
			'a damaged jar that ends the discovery of Fabric',
			'[10:00:00] [main/ERROR]: Incompatible mods found!\nnet.fabricmc.loader.impl.FormattedException: net.fabricmc.loader.impl.discovery.ModResolutionException: Mod discovery failed!\n\tat net.fabricmc.loader.impl.FormattedException.ofLocalized(FormattedException.java:63) ~[fabric-loader-0.16.9.jar:?]\nCaused by: java.lang.RuntimeException: Error analyzing [/srv/mc/mods/torn-1.0.jar]: java.util.zip.ZipException: zip END header not found',
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
	test('a client-only mod', () => {
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

	test('one whose initialization fails, with the innermost cause', () => {
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

	test('mixin warnings are not failures', () => {
		const log = `[21:55:43] [main/WARN]: Error loading class: net/minecraft/client/X (java.lang.ClassNotFoundException: x)\n[21:55:43] [main/WARN]: @Mixin target net.minecraft.client.X was not found map.mixins.json:client.X from mod map\n[21:55:43] [main/WARN]: Mixin apply for mod map failed map.mixins.json:X -> y`;
		expect(why({ log }).code).toBe('unknown');
	});

	test('a client class loaded while the server runs: it may start again', () => {
		const crashReport = `---- Minecraft Crash Report ----\nDescription: Ticking entity\n\njava.lang.RuntimeException: Attempted to load class net/minecraft/client/Minecraft for invalid dist DEDICATED_SERVER\n${TRACE}\n\n-- Head --\nThread: Server thread\nSuspected Mods: \n\tSeb's Dig (sebsdig), Version: 1.0.1\n\t\tat TRANSFORMER/sebsdig@1.0.1/com.example.Events.run(Events.java:168)\n\n\tAlex's Zoo (zoo), Version: 1.22.9\n\t\tIssue tracker URL: https://example.org\nStacktrace:\n${TRACE}\n-- System Details --\n`;
		expect(why({ crashReport, log: READY })).toMatchObject({
			code: 'mods',
			message: "The mod Seb's Dig (sebsdig) uses parts of the game that only the client has.",
			mods: ['sebsdig', 'zoo'],
			restartable: true
		});
	});

	test('loading that failed without naming a mod', () => {
		const log =
			'[10:00:00] [main/FATAL] [x.ModLoader/]: Failed to complete lifecycle event CONSTRUCT, 1 errors found';
		expect(why({ log })).toMatchObject({ code: 'mods', mods: [], restartable: false });
	});
});

import { describe, expect, test } from 'vitest';
import { why, READY, TRACE } from '../../../../../tests/fakes/game/ended-server.ts';

describe('crashes', () => {
	const REPORT = (head: string) =>
		`---- Minecraft Crash Report ----\n// Hi. I'm Minecraft, and I'm a crashaholic.\n\nTime: 2026-02-20 20:31:51\nDescription: Ticking block entity\n\njava.lang.NullPointerException: Cannot invoke "x.Y.z()"\n\tat TRANSFORMER/minecraft@1.21.1/net.minecraft.Level.tick(Level.java:1) ~[server-1.21.1.jar%23153!/:?] {re:mixin}\n\tat TRANSFORMER/pipez@2.1/example.Pipe.tick(Pipe.java:9) ~[pipez-2.1.jar%23110!/:2.1] {}\n\tat MC-BOOTSTRAP/fml_loader@4.0.39/x.Y.z(Y.java:1) ~[loader-4.0.39.jar%2359!/:4.0] {}\n\nA detailed walkthrough of the error\n\n-- Head --\nThread: Server thread\n${head}\n-- System Details --\nDetails:\n\tSuspected Mods: NONE`;

	test('the mods in the trace are suspected', () => {
		expect(why({ crashReport: REPORT(''), log: READY })).toMatchObject({
			code: 'crash',
			message:
				'The server crashed (Ticking block entity): NullPointerException: Cannot invoke "x.Y.z()".',
			mods: ['pipez'],
			advice: expect.stringContaining('pipez'),
			remedy: 'update',
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

	test('what is shown of the log has the line that names the suspect', () => {
		expect(why({ crashReport: REPORT(''), log: READY }).log).toEqual([
			'java.lang.NullPointerException: Cannot invoke "x.Y.z()"',
			expect.stringMatching(/^at TRANSFORMER\/pipez@2\.1\/example\.Pipe\.tick/)
		]);
		const listed = REPORT('Suspected Mods: Big Mod (bigmod)');
		expect(why({ crashReport: listed }).log.at(-1)).toBe('Suspected Mods: Big Mod (bigmod)');
		const log = `${READY}\n[10:00:00] [Server thread/ERROR]: Encountered an unexpected exception\njava.lang.IllegalStateException: x\n\tat net.minecraft.A.b(A.java:1) ~[server-intermediary.jar:?]\n\tat me.example.X.y(X.java:9) ~[lithium-fabric-0.11.2.jar:?]`;
		expect(why({ log }).log.at(-1)).toContain('lithium-fabric-0.11.2.jar');
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

	test('what the game was doing is said once when the game wraps an exception of a mod', () => {
		const wrapped = REPORT('').replace(
			/java\.lang\.NullPointer.*/,
			'net.minecraft.class_148: Ticking block entity'
		);
		expect(why({ crashReport: wrapped, log: READY }).message).toBe(
			'The server crashed: Ticking block entity.'
		);
	});

	test('from the log alone', () => {
		const log = `${READY}\n[22:04:48] [Server thread/ERROR]: Encountered an unexpected exception\nf: Exception ticking world\n${TRACE}\nCaused by: java.util.ConcurrentModificationException\n${TRACE}\n[22:04:48] [Server thread/ERROR]: This crash report has been saved to: /srv/mc/crash.txt`;
		expect(why({ log, exit: { code: 0, signal: null } })).toMatchObject({
			code: 'crash',
			message: 'The server crashed: f: Exception ticking world.',
			log: [
				expect.stringContaining('Encountered an unexpected exception'),
				'f: Exception ticking world',
				'Caused by: java.util.ConcurrentModificationException'
			]
		});
	});

	test('the watchdog, even when a crash follows', () => {
		const log = `${READY}\n[22:04:43] [Server Watchdog/FATAL]: A single server tick took 60.16 seconds (should be max 0.05)\n[22:04:43] [Server Watchdog/FATAL]: Considering it to be crashed, server will forcibly shutdown.\n[22:04:48] [Server thread/ERROR]: Encountered an unexpected exception\nf: Exception ticking world`;
		expect(why({ log })).toMatchObject({
			code: 'watchdog',
			message: 'The game stopped itself because one tick took 60 seconds.',
			restartable: true
		});
		const crashReport = `---- Minecraft Crash Report ----\nDescription: Watching Server\n\njava.lang.Error: ServerHangWatchdog detected that a single server tick took 60.00 seconds\n\tat TRANSFORMER/pipez@2.1/example.Pipe.tick(Pipe.java:9)\n`;
		expect(why({ crashReport })).toMatchObject({ code: 'watchdog', mods: ['pipez'] });
	});

	test('a slow tick alone is not a crash', () => {
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
	});

	test.each([
		['SIGSEGV', { code: null, signal: 'SIGSEGV' }],
		['SIGSEGV', { code: 139, signal: null }],
		['SIGABRT', { code: 134, signal: null }],
		['SIGBUS', { code: null, signal: 'SIGBUS' }]
	])('a program that dies of %s without a word from Java is not called Java', (signal, exit) => {
		const found = why({ exit });
		expect(found).toMatchObject({
			code: 'crash',
			message: `The server’s program crashed (${signal}).`,
			restartable: true
		});
		expect(`${found.message} ${found.advice}`).not.toMatch(/java|mods/i);
		const report = why({ exit, crashReport: '# Report of a native server\n# It broke' });
		expect(`${report.message} ${report.advice}`).not.toMatch(/java/i);
	});
});

describe('exits without a message', () => {
	test('stopped from within the game', () => {
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

	test('formatting, control characters and direction marks are removed', () => {
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

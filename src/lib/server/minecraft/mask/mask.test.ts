import { describe, expect, test } from 'vitest';
import { createLogMask } from './mask.ts';

const admin = createLogMask({ secrets: ['hunter2-rcon', 'päss wörd&%"'], addresses: true });
const superadmin = createLogMask({ secrets: ['hunter2-rcon', 'päss wörd&%"'], addresses: false });
const hidden = (text: string) => admin.text(text);

describe('addresses', () => {
	test.each([
		['Steve[/203.0.113.7:49673] logged in', 'Steve[/***] logged in'],
		['/203.0.113.7:5555 lost connection: Timed out', '/*** lost connection: Timed out'],
		['Disconnecting Steve (/203.0.113.7:5): bye', 'Disconnecting Steve (/***): bye'],
		['Thread RCON Client /127.0.0.1 started', 'Thread RCON Client /*** started'],
		['Banned IP 203.0.113.7: Griefing', 'Banned IP ***: Griefing'],
		['ip=203.0.113.7,port=25565', 'ip=***,port=25565'],
		['{"ip":"203.0.113.7"}', '{"ip":"***"}'],
		['from 203.0.113.7. Then', 'from ***. Then'],
		['a\\n203.0.113.7\\tb', 'a\\n***\\tb'],
		['§c203.0.113.7§r and §1203.0.113.7', '§c***§r and §1***'],
		['\u001b[33m203.0.113.7\u001b[0m', '\u001b[33m***\u001b[0m'],
		['http://203.0.113.7:8100/map', 'http://***/map'],
		['203.0.113.7 203.0.113.8', '*** ***']
	])('hides IPv4 in %j', (line, masked) => {
		expect(hidden(line)).toBe(masked);
		expect(superadmin.text(line)).toBe(line);
	});

	test.each([
		['Steve[/[2001:db8:0:0:0:0:0:1]:44934] logged in', 'Steve[/[***]:44934] logged in'],
		['/0:0:0:0:0:0:0:1:44934 lost connection', '/*** lost connection'],
		['/[fe80:0:0:0:1:2:3:4%eth0]:1 lost', '/[***]:1 lost'],
		['from 2001:db8::1 and ::ffff:203.0.113.7', 'from *** and ***'],
		['2001:db8::1: timed out', '***: timed out'],
		['ip:2001:db8::5, x', 'ip:***, x'],
		['§a2001:db8::1§r', '§a***§r'],
		['a\\nfe80::1', 'a\\n***'],
		['::1', '***']
	])('hides IPv6 in %j', (line, masked) => expect(hidden(line)).toBe(masked));

	test.each([
		'[12:00:00] [Server thread/INFO]: 12:34:56 is a time',
		'RCON running on 0.0.0.0:25575',
		'Loaded mod at Vec3::add and java.util.List::of',
		'xaero-waypoint:me:M:-21:38:123:2:false:0:Internal-the-nether-waypoints',
		'uuid 3c9b5b6e-1c5e-4f3a-9a6e-000000000000 mac aa:bb:cc:dd:ee:ff',
		'forge-14.23.5.2847 and 1.2.3.4.5 and 300.1.2.3',
		'\tjei-1.20.1-forge-15.2.0.27.jar   |Just Enough Items |jei |15.2.0.27   |DONE',
		'|   263 | Clumps | clumps | 12.0.0.4      | Fabric  | a20cfe0b0ee0b897887f81c4919af9d220ba22e7 |',
		"Mod ID: 'jei', Expected range: '[15.2.0.27,)', Actual version: '15.2.0.25'",
		'at TRANSFORMER/jei@15.2.0.27/mezz.jei.Foo.bar(Foo.java:1)',
		'[clumps] Found status: BETA Current: 19.0.0.1 Target: 19.0.0.2',
		'Using mod v1.2.3.4'
	])('leaves %j as it is', (line) => expect(hidden(line)).toBe(line));

	test('a table that is not a list of mods has its addresses hidden', () => {
		expect(hidden('| Steve | 203.0.113.7 | online |')).toBe('| Steve | *** | online |');
	});
});

describe('secrets', () => {
	test.each([
		['rcon says hunter2-rcon!', 'rcon says ***!'],
		['hunter2-rconhunter2-rcon', '******'],
		['{"p":"päss wörd&%\\""}', '{"p":"***"}'],
		['/x?p=p%C3%A4ss%20w%C3%B6rd%26%25%22&y', '/x?p=***&y'],
		[Buffer.from('a päss wörd&%" b').toString('latin1'), 'a *** b']
	])('a known one is hidden from everybody in %j', (line, masked) => {
		expect(superadmin.text(line)).toBe(masked);
		expect(admin.text(line)).toBe(masked);
	});

	test('of two that overlap no end is left over', () => {
		const mask = createLogMask({ secrets: ['abcdef', 'defghi'], addresses: false });
		expect(mask.text('x abcdefghi y')).toBe('x *** y');
	});

	test('one with a line break is hidden line by line', () => {
		const mask = createLogMask({ secrets: ['first\nsecond'], addresses: false });
		expect(mask.text('a first\nb second')).toBe('a ***\nb ***');
	});

	test('one that is too short to be hidden does not ruin the log', () => {
		const mask = createLogMask({ secrets: ['', 'a', 'INF'], addresses: false });
		expect(mask.text('a line of INFO')).toBe('a line of INFO');
	});

	test.each([
		['Steve issued server command: /login hunter3', 'Steve issued server command: /login ***'],
		['Steve issued server command: /register a a', 'Steve issued server command: /register ***'],
		[
			'Steve issued server command: /authme:l hunter3',
			'Steve issued server command: /authme:l ***'
		],
		['<Steve> /LOGIN hunter3', '<Steve> /LOGIN ***'],
		['<Steve> .login hunter3', '<Steve> .login ***'],
		['<Steve> 7login hunter3', '<Steve> 7login ***'],
		['/changepassword old new', '/changepassword ***'],
		['/authme register Steve hunter3', '/authme ***'],
		['/l hunter3', '/l ***'],
		['rcon.password=hunter3', 'rcon.password=***'],
		['management-server-secret: "hunter3",', 'management-server-secret: "***",'],
		['{"apiKey":"k-1","token": "t-1"}', '{"apiKey":"***","token": "***"}'],
		[
			'args [--username, Steve, --accessToken, abc.def, --x]',
			'args [--username, Steve, --accessToken, ***, --x]'
		],
		['java --password hunter3 nogui', 'java --password *** nogui'],
		['(Session ID is token:0123:4567)', '(Session ID is ***)'],
		['got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'got ***'],
		['Authorization: Bearer abc.def', 'Authorization: Bearer ***'],
		['jdbc:mysql://user:pw@db/x', 'jdbc:mysql://***@db/x'],
		['https://discord.com/api/webhooks/123/abc-DEF_1', 'https://discord.com/api/webhooks/123/***']
	])('one is recognised by what precedes it in %j', (line, masked) => {
		expect(superadmin.text(line)).toBe(masked);
	});

	test.each([
		'Steve issued server command: /list',
		'Loaded net.minecraft.server.level.ServerLevel from logs/latest.log',
		'Preparing spawn area: 83%',
		'a secret door and a key',
		'my-password is safe, the token ring too, a password, the secret, one',
		'see https://example.com/login?x=1 for more'
	])('%j contains none', (line) => expect(superadmin.text(line)).toBe(line));

	test('text on the next line is not part of it', () => {
		expect(hidden('/login\nok\n/login x\nok')).toBe('/login\nok\n/login ***\nok');
	});
});

describe('a cut', () => {
	test.each([
		['a secret', 'hunter2-rcon', admin],
		['an address', '203.0.113.77:44934', admin],
		['an IPv6 address', '2001:db8:0:0:0:0:0:1', admin],
		['a password after its command', '/login hunter3', superadmin]
	])('that goes through %s hides all of it, wherever it is', (_, secret, mask) => {
		const line = `${'x'.repeat(50)} ${secret} ${'y'.repeat(50)}`;
		const whole = mask.text(line);
		for (let keep = 0; keep <= line.length; keep++) {
			const kept = mask.text(line, keep);
			expect(whole.startsWith(kept.replace(/\*+$/, ''))).toBe(true);
			expect(kept.length).toBeLessThanOrEqual(Math.max(keep, 51) + 3 + 7);
			for (let part = 4; part <= secret.length; part++)
				if (!'/login '.startsWith(secret.slice(0, part)))
					expect(kept).not.toContain(secret.slice(0, part));
		}
	});

	test('the lookahead covers the longest secret in each of its forms', () => {
		const mask = createLogMask({ secrets: ['ä'.repeat(400)], addresses: false });
		expect(mask.reach).toBeGreaterThanOrEqual(400 * '%C3%A4'.length);
	});
});

test('masking is fast, whatever the text', () => {
	const hard = [
		':',
		'::',
		'1.',
		'eyJ',
		'/login',
		'token=',
		'://a:',
		'f:',
		'§1',
		'aaaa',
		'\u001b[1'
	];
	// Quadratic time for any of these would be minutes.
	for (const piece of hard) admin.text(piece.repeat(1_000_000 / piece.length));
});

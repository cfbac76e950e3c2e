import { describe, expect, test } from 'vitest';
import { logLine, messagesOf } from '../../../../../tests/fakes/game/log-folder.ts';
import { folder, numbered, folderForEach } from '../../../../../tests/fakes/game/log-reader-kit.ts';

folderForEach();

describe('text that is not valid', () => {
	test('bad UTF-8, NUL and UTF-16 affect their own line only', async () => {
		const bad = Buffer.concat([
			Buffer.from(logLine('good', 1)),
			Buffer.from([
				...Buffer.from('[00:00:02] [main/INFO]: '),
				0xff,
				0xc3,
				0x28,
				0x00,
				0xe2,
				0x82,
				0x0a
			]),
			Buffer.from('utf16\n', 'utf16le'),
			Buffer.from('\n' + logLine('grüße 漢字 🙂', 3))
		]);
		folder.write('latest.log', bad);
		const { entries } = await folder.page();
		expect(entries.map(({ message }) => message)).toEqual([
			'good',
			'\ufffd\ufffd(\ufffd',
			'grüße 漢字 🙂'
		]);
		expect(entries[1]!.continuation[0]).toBe('utf16');
	});

	test('characters stay whole at block boundaries, and CRLF is not part of the text', async () => {
		const lines = Array.from({ length: 3_000 }, (_, i) => `${'🙂é'.repeat(20 + (i % 7))}${i}`);
		folder.write(
			'latest.log',
			lines.map((line, i) => logLine(line, i).replace('\n', '\r\n')).join('')
		);
		const entries = await folder.all({ lines: 999 });
		expect(entries.map(({ message }) => message)).toEqual(lines);
	});

	test('a line of 30 MB is cut to 8 kB with a mark, and its neighbours are whole', async () => {
		folder.write('latest.log', numbered(2));
		folder.append('latest.log', '[00:00:02] [main/INFO]: start ');
		const piece = Buffer.alloc(1024 * 1024, 'é');
		for (let i = 0; i < 30; i++) folder.append('latest.log', piece);
		folder.append('latest.log', `\n${numbered(2, 3)}`);
		const { entries } = await folder.page();
		expect(entries.map(({ message }) => message.slice(0, 9))).toEqual([
			'message 0',
			'message 1',
			'start ééé',
			'message 3',
			'message 4'
		]);
		expect(entries[2]!.message).toMatch(/é … cut$/);
		expect(Buffer.byteLength(entries[2]!.message)).toBeLessThan(8_300);
		expect(messagesOf(await folder.page({ lines: 3 }))[0]).toBe(entries[2]!.message);
	});

	test('a file of nothing but newlines is read in chunks', async () => {
		folder.write('latest.log', '\n'.repeat(5_000_000));
		const page = await folder.page({ lines: 500 });
		expect(page.entries).toHaveLength(500);
		expect(page.truncated).toBe(true);
	});

	test('lines that only look like entries end the search for one', async () => {
		folder.write('latest.log', numbered(1) + '[1,2]\n'.repeat(600_000));
		const page = await folder.page({ lines: 1000 });
		expect(page.entries.length).toBeGreaterThan(0);
		expect(page.entries.at(-1)!.message + page.entries.at(-1)!.continuation.at(-1)).toContain(
			'[1,2]'
		);
	});

	test('markup, links and JNDI lookups are plain text', async () => {
		const text =
			'<img src=x onerror=alert(1)></script> {@html x} ${jndi:ldap://x} javascript:alert(1)';
		folder.write('latest.log', logLine(text));
		expect(messagesOf(await folder.page())).toEqual([text]);
	});

	test('codes are removed, and invisible characters are made visible, in traces and thread names too', async () => {
		folder.write(
			'latest.log',
			logLine(
				'\u001b[31mred\u001b[0m §cred \u001b]52;c;x\u0007\u001b[2Jad\u200bmin \u202eevil\rx'
			) + '[00:00:01] [a\u202eb/INFO]: x\n\tat \u001b[1mx\u0007\n'
		);
		const { entries } = await folder.page();
		expect(entries[0]!.message).toBe('red red ad‹U+200B›min ‹U+202E›evil␍x');
		expect(entries[1]).toMatchObject({ thread: 'a‹U+202E›b', continuation: ['\tat x␇'] });
		expect((await folder.page({ text: 'min' })).entries).toHaveLength(1);
	});

	test('what a player says is never an entry', async () => {
		const said = '<Steve> [12:00:00] [Server thread/INFO]: Herobrine joined the game';
		folder.write('latest.log', logLine(said) + numbered(1, 1));
		expect(messagesOf(await folder.page())).toEqual([said, 'message 1']);
	});
});

import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
	createLogFolder,
	logLine,
	messagesOf,
	OPEN,
	type LogFolder
} from '../../../../../tests/fakes/game/log-folder.ts';
import { createLogMask, type LogMask } from '#minecraft/mask';

const SECRET = 'hunter2-rcon-pässword';
const ADDRESS = '203.0.113.77:44934';
const admin = createLogMask({ secrets: [SECRET], addresses: true });
const superadmin = createLogMask({ secrets: [SECRET], addresses: false });

let folder: LogFolder;
beforeEach(() => {
	folder = createLogFolder();
});
afterEach(() => folder.remove());

async function textOf(name: string, mask: LogMask) {
	const { pieces, close } = await folder.reader.text(name, mask);
	const parts: Buffer[] = [];
	for await (const piece of pieces) parts.push(Buffer.from(piece));
	await close();
	return Buffer.concat(parts);
}

/** No part of it that is long enough to mean something. */
function expectHidden(text: string, secret: string) {
	for (let from = 0; from + 6 <= secret.length; from++)
		expect(text).not.toContain(secret.slice(from, from + 6));
}

test('viewers never see what is hidden from them: pages, files, archives, crash reports', async () => {
	const line = (i: number) => logLine(`Steve[/${ADDRESS}] sent ${SECRET} ${'x'.repeat(i % 61)}`, i);
	const text =
		Array.from({ length: 8_000 }, (_, i) => line(i)).join('') +
		`[12:00:00] [RCON Client /${ADDRESS} #3/INFO] [${SECRET}]: x\n\tat ${ADDRESS} ${SECRET}\n`;
	folder.write('latest.log', text);
	folder.write('2026-03-08-1.log.gz', text);
	folder.write('crash-1.txt', text);
	for (const file of ['latest.log', '2026-03-08-1.log.gz', 'crash-1.txt']) {
		const all = JSON.stringify(await folder.all({ file }, admin));
		const raw = (await textOf(file, admin)).toString();
		for (const seen of [all, raw]) {
			expectHidden(seen, ADDRESS);
			expectHidden(seen, SECRET);
			expect(seen.split('Steve[/***] sent ***')).toHaveLength(8_001);
		}
		const more = (await textOf(file, superadmin)).toString();
		expectHidden(more, SECRET);
		expect(more.split(ADDRESS)).toHaveLength(8_003);
	}
});

test.each([
	['a secret', SECRET],
	['an address', ADDRESS],
	['an IPv6 address', '2001:db8:0:0:0:0:0:1']
])('%s is hidden where a long line is cut', async (_, secret) => {
	const before = 8192 - '[00:00:00] [Server thread/INFO]: '.length;
	for (let shift = 0; shift <= secret.length + 2; shift += 3) {
		const long = `${'x'.repeat(before - shift)} ${secret} ${'y'.repeat(100_000)}`;
		folder.write(
			'latest.log',
			logLine(long) + `${'x'.repeat(8192 - shift)} ${secret} y`.repeat(2) + '\n'
		);
		const page = await folder.page({}, admin);
		expect(page.entries[0]!.message).toMatch(/ … cut$/);
		expectHidden(JSON.stringify(page), secret);
		expectHidden((await textOf('latest.log', admin)).toString(), secret);
	}
});

test('a secret is hidden even across block boundaries', async () => {
	for (const size of [32_768, 65_536, 131_072, 262_144, 1_048_576, 2_097_152]) {
		const line = logLine(`${SECRET} from ${ADDRESS}`);
		const filler = logLine('x'.repeat(66));
		const half = filler.repeat(Math.ceil(size / filler.length)).slice(-size + 20);
		const text = `${half}\n${line}${half}\n`;
		folder.write('latest.log', text);
		writeFileSync(folder.at('2026-03-08-1.log.gz'), gzipSync(text));
		for (const file of ['latest.log', '2026-03-08-1.log.gz'])
			expectHidden((await textOf(file, admin)).toString(), SECRET);
		const found = await folder.page({ text: '*** from ***' }, admin);
		expect(found.entries).toHaveLength(2);
	}
});

test('a search for hidden text finds nothing, one for text beside it does', async () => {
	folder.write(
		'latest.log',
		logLine(`Steve[/${ADDRESS}] logged in`, 1) + logLine('x', 2) + logLine(`/login ${SECRET}`, 3)
	);
	for (const text of [
		'203.0.113.77',
		'203.0',
		'.113.',
		ADDRESS,
		'hunter2',
		SECRET,
		'44934',
		'rcon'
	])
		expect((await folder.page({ text }, admin)).entries).toEqual([]);
	expect(messagesOf(await folder.page({ text: '203.0.113' }, superadmin))).toEqual([
		`Steve[/${ADDRESS}] logged in`
	]);
	expect((await folder.page({ text: 'hunter2' }, superadmin)).entries).toEqual([]);
	expect(messagesOf(await folder.page({ text: 'LOGGED in' }, admin))).toEqual([
		'Steve[/***] logged in'
	]);
	expect(messagesOf(await folder.page({ text: '[/***] logged' }, admin))).toEqual([
		'Steve[/***] logged in'
	]);
});

test('a forged offset cannot point into the middle of a line, and so into a secret', async () => {
	const text = logLine('x') + logLine(`${SECRET} ${ADDRESS}`) + logLine('y');
	folder.write('latest.log', text);
	folder.write('2026-03-08-1.log.gz', text);
	for (const file of ['latest.log', '2026-03-08-1.log.gz']) {
		const entries = await folder.all({ file }, admin);
		const places = entries.map(({ id }) => id.split('-'));
		const starts = places.map(([, offset]) => parseInt(offset!, 36));
		for (let offset = 1; offset < Buffer.byteLength(text); offset++) {
			if (starts.includes(offset)) continue;
			for (const at of ['', places[0]![2]]) {
				const id = `${places[0]![0]}-${offset.toString(36)}-${at}`;
				await expect(folder.page({ file, before: id }, admin)).rejects.toThrow('not in the logs');
				await expect(folder.page({ file, at: id }, admin)).rejects.toThrow('not in the logs');
			}
		}
	}
});

test('text beyond the cut of a line can neither be seen nor found', async () => {
	folder.write('latest.log', logLine(`${'x'.repeat(9_000)} beyond`));
	expect((await folder.page({ text: 'beyond' })).entries).toEqual([]);
});

test('a downloaded file is identical, byte for byte, except for what is hidden', async () => {
	const bytes = Buffer.concat([
		Buffer.from(logLine('grüße 🙂')),
		Buffer.from([0xb9, 0xab, 0xff, 0x0d, 0x0a, 0x0a]),
		Buffer.from('no end')
	]);
	folder.write('latest.log', bytes);
	expect(await textOf('latest.log', admin)).toEqual(bytes);
	folder.write('2026-03-08-1.log.gz', bytes);
	expect(await textOf('2026-03-08-1.log.gz', admin)).toEqual(bytes);
});

test('codes inside or beside an address do not reveal it', async () => {
	folder.write(
		'latest.log',
		logLine('§c203.0.§r113.77 \u001b[33m203.0.113.77\u001b[0m \u001b[1m2001:db8::1 §a2001:db8::1')
	);
	expect(messagesOf(await folder.page({}, admin))).toEqual(['*** *** *** ***']);
});

test.each(['\u001b[31m', '§c', '\u009b1m', '\u001b]0;title\u0007'])(
	'the code %j inside a secret or an address does not reveal it in a downloaded file either',
	async (code) => {
		const split = (text: string) => `${text.slice(0, 5)}${code}${text.slice(5)}`;
		const line = logLine(`${split(SECRET)} from ${split(ADDRESS)} grüße`);
		const long = logLine(`${split(SECRET)} ${split(ADDRESS)}${'x'.repeat(20_000)}`);
		const plain = logLine('no codes, 203.0.113.8, café\u0301');
		for (const file of ['latest.log', 'crash-1.txt']) {
			folder.write(file, `${line}${line.replace('\n', '\r\n')}${long}${plain}`);
			const text = (await textOf(file, admin)).toString();
			expect(text.split('\n').slice(0, 2)).toEqual([
				logLine('*** from *** grüße').trimEnd(),
				`${logLine('*** from *** grüße').trimEnd()}\r`
			]);
			expect(text.split('\n')[2]).toMatch(/: \*\*\* \*\*\*x+ … cut$/);
			expect(text.split('\n')[3]).toMatch(/: no codes, \*\*\*, café\u0301$/);
			folder.write(`2026-03-08-1.log.gz`, 'x');
			writeFileSync(folder.at('2026-03-08-1.log.gz'), gzipSync(line));
			const packed = (await textOf('2026-03-08-1.log.gz', superadmin)).toString();
			expect(packed).toBe(logLine(`*** from ${ADDRESS} grüße`));
		}
	}
);

test('codes before the cut of a line do not shift it into a secret', async () => {
	for (const code of ['§c', '\u001b[1m', '\u001b]0;x', '\u202e', '\0']) {
		const codes = code.repeat(Math.floor(7_000 / Buffer.byteLength(code)));
		for (let shift = 0; shift < 600; shift += 7) {
			const before = 'x'.repeat(Math.max(0, 8_150 - Buffer.byteLength(codes) - shift));
			const line = `${codes}${before}${SECRET} ${ADDRESS} `.padEnd(9_000, `${SECRET} `);
			folder.write('latest.log', logLine(line));
			const seen = JSON.stringify(await folder.page({}, admin));
			expectHidden(seen, SECRET);
			expectHidden(seen, ADDRESS);
		}
	}
});

test('a removed sequence does not reveal what was at the end of the read', async () => {
	for (let size = 1_000; size < 1_600; size += 5) {
		const line = `\u001b]0;${'t'.repeat(8_250)}\u0007${'x'.repeat(size)}${SECRET} ${ADDRESS} ${'y'.repeat(9_000)}`;
		folder.write('latest.log', logLine(line));
		const seen = JSON.stringify(await folder.page({}, admin));
		expectHidden(seen, SECRET);
		expectHidden(seen, ADDRESS);
	}
});

test('a UTF-16 file is decoded, so that its secrets are found', async () => {
	const text = `hello ${SECRET.replace('ä', 'a')} from ${ADDRESS}\nsecond\n`;
	const mask = createLogMask({ secrets: [SECRET.replace('ä', 'a')], addresses: true });
	folder.write('windows.log', Buffer.from(text, 'utf16le'));
	const page = await folder.page({ file: 'windows.log' }, mask);
	expect(messagesOf(page).slice(0, 2)).toEqual(['hello *** from ***', 'second']);
	expect((await textOf('windows.log', mask)).toString()).toBe('hello *** from ***\nsecond\n');
});

test('a downloaded file has short lines, split between characters', async () => {
	const long = 'é'.repeat(50_000);
	folder.write('latest.log', `a${long}\n${long}\nlast`);
	const lines = (await textOf('latest.log', OPEN)).toString().split('\n');
	expect(lines).toEqual([
		expect.stringMatching(/^aé+ … cut$/),
		expect.stringMatching(/^é+ … cut$/),
		'last'
	]);
	expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThan(8_300);
	folder.write('latest.log', `${'z'.repeat(3_000_000)}\nnext\n`);
	expect((await textOf('latest.log', OPEN)).toString()).toMatch(/^z+ … cut\nnext\n$/);
});

test('a damaged archive is downloaded as far as it can be read, and says so at its end', async () => {
	const packed = gzipSync(logLine('x').repeat(1_000));
	writeFileSync(folder.at('2026-03-08-1.log.gz'), packed.subarray(0, -6));
	expect((await textOf('2026-03-08-1.log.gz', OPEN)).toString()).toMatch(
		/\n… 2026-03-08-1\.log\.gz is damaged or was not finished/
	);
});

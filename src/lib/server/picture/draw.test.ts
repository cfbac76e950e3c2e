import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../../tests/harness.ts';
import type { CardFacts } from './card.ts';
import { createPainter } from './draw.ts';

const LIMIT_MS = 60_000;
const CASTLE: CardFacts = {
	name: 'Castle',
	state: 'running',
	address: 'play.example.org',
	version: '1.21.1',
	players: { online: 3, max: 20 }
};
const HOSTILE: CardFacts = {
	name: '🏰 日本 سيرفر ☺ <img src=http://127.0.0.1:9/x> 👩‍👩‍👧‍👦',
	state: 'crashed',
	address: '日本語.example.org:25577',
	version: '💀 1.21',
	players: { online: 2 ** 31, max: 2 ** 31 }
};
const EMPTY: CardFacts = {
	name: '日'.repeat(10_000),
	state: 'unknown',
	address: '\u0000',
	version: '日本',
	players: { online: null, max: null }
};
/** Any way out of the process ends it. */
const TRAP = `
import dns from 'node:dns';
import net from 'node:net';
import tls from 'node:tls';
const caught = (what) => () => { process.stderr.write('network: ' + what); process.exit(99); };
net.Socket.prototype.connect = caught('connect');
tls.connect = caught('tls');
dns.lookup = caught('lookup');
globalThis.fetch = caught('fetch');
`;

let dir: string;
let trap: string;
beforeAll(() => {
	dir = mkdtempSync(path.join(tmpdir(), 'picture-'));
	trap = path.join(dir, 'trap.mjs');
	writeFileSync(trap, TRAP);
});
afterAll(() => rmSync(dir, { recursive: true }));

describe('a picture', () => {
	test.each([
		['of a server that runs', CASTLE, []],
		['of hostile words', HOSTILE, []],
		['of hostile words, by the renderer of machines without sharp,', HOSTILE, ['--no-addons']],
		['of words that cannot be drawn', EMPTY, []]
	])(
		'%s is drawn without the network',
		async (_of, facts, flags) => {
			const painter = createPainter({ execArgv: [...flags, '--import', trap], limitMs: LIMIT_MS });
			const bytes = await painter.draw(facts);
			expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
		},
		LIMIT_MS
	);

	test(
		'that the library would fetch resources for fails, and nothing is requested',
		() => {
			const offline = fileURLToPath(new URL('./offline.ts', import.meta.url));
			const script = `
				await import(${JSON.stringify(offline)});
				const { ImageResponse } = await import('@vercel/og');
				const children = process.argv[1] === 'image' ? undefined : process.argv[1];
				const props = { style: { display: 'flex' }, children, src: 'http://127.0.0.1:9/x.png', width: 9, height: 9 };
				const drawn = new ImageResponse({ type: children ? 'div' : 'img', props });
				const size = await drawn.bytes().then(({ length }) => length, () => 'failed');
				process.stdout.write(String(size));`;
			for (const text of ['🏰', '日本', 'image']) {
				const args = ['--import', trap, '--input-type=module', '-e', script, text];
				const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
				expect(stderr).not.toContain('network:');
				expect([status, text, stdout]).not.toEqual([99, text, stdout]);
			}
		},
		LIMIT_MS
	);

	test('that nobody wants any more is abandoned, and its process is gone', async () => {
		const stuck = path.join(dir, 'stuck.mjs');
		const note = path.join(dir, 'pid');
		writeFileSync(
			stuck,
			`import { writeFileSync } from 'node:fs';
			writeFileSync(${JSON.stringify(note)}, process.pid + ' ');
			for (;;);`
		);
		const painter = createPainter({ execArgv: ['--import', stuck], limitMs: LIMIT_MS });
		const unwanted = new AbortController();
		const drawing = painter.draw(CASTLE, unwanted.signal);
		drawing.catch(() => {});
		const pid = await eventually(
			async () => (existsSync(note) ? readFileSync(note, 'utf8') : ''),
			(text) => text.endsWith(' ')
		);
		unwanted.abort();
		await expect(drawing).rejects.toMatchObject({ name: 'AbortError' });
		expect(() => process.kill(Number(pid), 0)).toThrow();
	});

	test('that is invalid is refused', async () => {
		const other = path.join(dir, 'other.mjs');
		writeFileSync(
			other,
			`process.stdout.write('no picture', () => process.exit(0)); await new Promise(() => {});`
		);
		const painter = createPainter({ execArgv: ['--import', other], limitMs: LIMIT_MS });
		await expect(painter.draw(CASTLE)).rejects.toThrow('not a picture');
	});

	test('made beforehand has the same size', async () => {
		const bytes = await createPainter().fallback();
		expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
	});
});

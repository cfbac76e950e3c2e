import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	chmodSync,
	closeSync,
	existsSync,
	ftruncateSync,
	lstatSync,
	lutimesSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
	truncateSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
	writeSync
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { staysInside } from './bytes.ts';
import { create, measure } from './create.ts';
import type { Created, Root, Selection } from './jobs.ts';
import { MANIFEST, manifestLine } from './manifest.ts';
import { readBack } from './read.ts';
import { BadArchive, encodeHeader, padding, type Entry } from './tar.ts';

const WORLD: Root[] = [{ path: 'world', world: 'world', skip: ['session.lock'] }];
const FACTS = {
	...{ id: '20260102T030405Z-1a2b', createdAt: '2026-01-02T03:04:05.000Z' },
	...{ gameVersion: '1.21.1', worlds: ['world'], withMods: false }
};

function tempDir() {
	const dir = mkdtempSync(path.join(tmpdir(), 'craftwarden-archive-'));
	onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
	return dir;
}

/** A server's folder with an empty world, and a place for archives beside it. */
function setUp() {
	const home = tempDir();
	const serverDir = path.join(home, 'server');
	mkdirSync(path.join(serverDir, 'world'), { recursive: true });
	const archive = path.join(home, 'a.tar.zst');
	const pack = (roots = WORLD, never: string[] = []) => {
		rmSync(archive, { force: true });
		const job = { kind: 'create', serverDir, roots, never, out: archive } as const;
		return create({ ...job, spill: `${archive}.spill`, facts: FACTS }, () => {});
	};
	let count = 0;
	const unpack = async (made: Created, select: Selection = { all: true }) => {
		const dir = path.join(home, `restored-${++count}`);
		const { unpacked } = await readBack(
			{
				kind: 'read',
				file: archive,
				expected: expectedOf(made),
				into: { dir, select, owner: null }
			},
			() => {}
		);
		return { dir, unpacked };
	};
	return { home, serverDir, world: path.join(serverDir, 'world'), archive, pack, unpack };
}

const expectedOf = ({ archiveBytes: bytes, manifestSha256, totals }: Created) => ({
	...{ bytes, manifestSha256, totals }
});

/** `mtime` in microseconds: finer than that Node cannot set it. */
type Look = { type: string; mode: number; content: string; mtime: number };

/** All that a tree is, by byte name. */
function look(dir: string): Map<string, Look> {
	const found = new Map<string, Look>();
	const enter = (at: Buffer, name: string) => {
		const stats = lstatSync(at, { bigint: true });
		const type = stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'file';
		const content =
			type === 'file'
				? createHash('sha256').update(readFileSync(at)).digest('hex')
				: type === 'link'
					? readlinkSync(at, { encoding: 'buffer' }).toString('latin1')
					: '';
		const mtime = Number(stats.mtimeNs / 1000n);
		found.set(name, {
			type,
			mode: type === 'link' ? 0 : Number(stats.mode) & 0o7777,
			content,
			mtime
		});
		if (type !== 'folder') return;
		for (const child of readdirSync(at, { encoding: 'buffer' }))
			enter(Buffer.concat([at, Buffer.from('/'), child]), `${name}/${child.toString('latin1')}`);
	};
	enter(Buffer.from(dir), '');
	return found;
}

function seeded(seed: number) {
	let a = seed;
	return (below: number) => {
		a = (a + 0x6d2b79f5) | 0;
		let t = Math.imul(a ^ (a >>> 15), a | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
	};
}
type Random = ReturnType<typeof seeded>;

const ODD = [
	'-rf',
	' leading',
	'trailing ',
	'new\nline',
	'tab\t',
	'"quoted"',
	"it's",
	'$HOME',
	'`id`',
	'*',
	'%0a',
	'\\back\\slash',
	'ünï☃',
	'.hidden',
	'..double',
	'CON',
	'a'.repeat(255),
	'~'
];

function oddName(random: Random): Buffer {
	if (random(3) === 0) return Buffer.from(`${ODD[random(ODD.length)]}`);
	const bytes = Buffer.alloc(1 + random(random(4) === 0 ? 120 : 10));
	for (let i = 0; i < bytes.length; i++) bytes[i] = 1 + random(255);
	for (let i = 0; i < bytes.length; i++) if (bytes[i] === 0x2f) bytes[i] = 0x2d;
	return ['.', '..', 'session.lock'].includes(bytes.toString('latin1')) ? Buffer.from('x') : bytes;
}

/** Fills a folder with whatever a disk can hold. */
function grow(at: Buffer, random: Random, depth: number) {
	const time = () => (random(2_000_000_000) * 1000 + random(1000)) / 1000;
	for (let i = random(6); i > 0; i--) {
		const place = Buffer.concat([at, Buffer.from('/'), oddName(random)]);
		if (existsSync(place)) continue;
		const kind = random(10);
		try {
			if (kind < 3 && depth < 5) {
				mkdirSync(place);
				grow(place, random, depth + 1);
				chmodSync(place, [0o755, 0o700, 0o500, 0o777][random(4)]!);
				utimesSync(place, time(), time());
			} else if (kind === 3) {
				const target = [
					'nothing',
					'./x',
					'../'.repeat(Math.min(depth, 1)) + 'level.dat',
					oddName(random)
				];
				symlinkSync(target[random(4)]!, place);
				lutimesSync(place, time(), time());
			} else fill(place, random, time());
		} catch (error) {
			const { code = '' } = error as NodeJS.ErrnoException;
			if (code !== 'ENAMETOOLONG' && code !== 'EEXIST') throw error;
		}
	}
}

function fill(place: Buffer, random: Random, time: number) {
	const fd = openSync(place, 'w');
	const size = [0, 1, 511, 512, 513, 4096, random(70_000), random(300_000)][random(8)]!;
	writeSync(fd, Buffer.alloc(size, random(256)));
	// Sparse: data, a hole, data.
	if (random(6) === 0) writeSync(fd, Buffer.from('end'), 0, 3, size + 600_000);
	if (random(8) === 0) ftruncateSync(fd, size + 300_000);
	closeSync(fd);
	chmodSync(place, [0o644, 0o600, 0o400, 0o755, 0o000][random(5)]!);
	utimesSync(place, time, time);
}

test('a hundred random trees come back as they were: names, rights, times, links, holes', async () => {
	const links = { kept: 0, left: 0 };
	for (let seed = 1; seed <= 100;) {
		const { home, world, pack, unpack } = setUp();
		for (const last = seed + 9; seed <= last; seed++) {
			mkdirSync(path.join(world, String(seed)));
			grow(Buffer.from(path.join(world, String(seed))), seeded(seed), 1);
		}
		const made = await pack();
		const { dir } = await unpack(made);
		const before = look(world);
		for (const [name, { type, content }] of before) {
			if (type !== 'link') continue;
			if (staysInside(`world${name}`, content)) links.kept++;
			else {
				links.left++;
				before.delete(name);
				expect(made.warnings.join()).toContain('leads elsewhere');
			}
		}
		const after = look(path.join(dir, 'world'));
		for (const [name, one] of after) {
			const mtime = before.get(name)?.mtime ?? 0;
			expect(Math.abs(one.mtime - mtime), `seeds up to ${seed - 1}`).toBeLessThanOrEqual(1);
			one.mtime = mtime;
		}
		expect([...after], `seeds up to ${seed - 1}`).toEqual([...before]);
		rmSync(home, { recursive: true, force: true });
	}
	expect(links.kept).toBeGreaterThan(5);
}, 60_000);

test('GNU tar understands an archive, with every name', async () => {
	const { world, pack, archive } = setUp();
	writeFileSync(Buffer.concat([Buffer.from(`${world}/`), Buffer.from([0xff, 0xfe, 0x41])]), 'x');
	writeFileSync(path.join(world, 'ü'.repeat(100)), 'y');
	await pack();
	const list = execFileSync('tar', ['--zstd', '-tf', archive, '--quoting-style=literal']);
	expect(list.includes(Buffer.from([0xff, 0xfe, 0x41]))).toBe(true);
	expect(list.toString()).toContain('ü'.repeat(100));
	expect(list.toString()).toContain(MANIFEST);
});

test('what is no file stays out and is named, links are never followed', async () => {
	const { home, serverDir, world, pack, unpack } = setUp();
	writeFileSync(path.join(home, 'secret'), 'outside');
	symlinkSync(home, path.join(world, 'out'));
	symlinkSync('../..', path.join(world, 'up'));
	symlinkSync('self', path.join(world, 'self'));
	symlinkSync('x/../../..', path.join(world, 'winding'));
	execFileSync('mkfifo', [path.join(world, 'fifo')]);
	const socket = createServer().listen(path.join(world, 'socket'));
	onTestFinished(() => void socket.close());
	await new Promise((resolve) => socket.once('listening', resolve));
	writeFileSync(path.join(world, 'session.lock'), '☃');
	mkdirSync(path.join(world, 'own'));
	const made = await pack(WORLD, [path.join(world, 'own')]);
	const { dir } = await unpack(made);
	expect(readdirSync(path.join(dir, 'world'))).toEqual(['self']);
	for (const name of ['out', 'up', 'winding', 'fifo', 'socket', 'own'])
		expect(made.warnings.some((line) => line.startsWith(`world/${name} was left out`))).toBe(true);
	expect(readdirSync(serverDir)).toEqual(['world']);
});

describe('files that are written while they are read', () => {
	/** Does something to files as soon as the first byte of a large one is read. */
	async function packWhile(deed: (world: string) => void) {
		const { world, pack, unpack, archive, serverDir } = setUp();
		writeFileSync(path.join(world, 'a-large.mca'), Buffer.alloc(20 << 20, 1));
		writeFileSync(path.join(world, 'b-small.mca'), 'as it was');
		let done = false;
		rmSync(archive, { force: true });
		const made = await create(
			{
				kind: 'create',
				serverDir,
				roots: WORLD,
				never: [],
				out: archive,
				spill: `${archive}.s`,
				facts: FACTS
			},
			() => {
				if (!done) deed(world);
				done = true;
			}
		);
		void pack;
		return { made, ...(await unpack(made)) };
	}

	test('one that shrinks is filled up with zeros and named', async () => {
		const { made, dir } = await packWhile((world) =>
			ftruncateSync(openSync(path.join(world, 'a-large.mca'), 'r+'), 1 << 20)
		);
		expect(made.warnings.join(' ')).toMatch(/a-large.mca shrank while it was read/);
		expect(statSync(path.join(dir, 'world/a-large.mca')).size).toBe(20 << 20);
	});
	test('one that grows is what it was at first, and named', async () => {
		const { made, dir } = await packWhile((world) =>
			writeFileSync(path.join(world, 'a-large.mca'), 'more', { flag: 'a' })
		);
		expect(made.warnings.join(' ')).toMatch(/a-large.mca changed while it was read/);
		expect(statSync(path.join(dir, 'world/a-large.mca')).size).toBe(20 << 20);
	});
	test('one that vanishes is named, the rest is there', async () => {
		const { made, dir } = await packWhile((world) => rmSync(path.join(world, 'b-small.mca')));
		expect(made.warnings.join(' ')).toMatch(/b-small.mca vanished/);
		expect(readdirSync(path.join(dir, 'world'))).toEqual(['a-large.mca']);
	});
	test('one that becomes a link to elsewhere is not followed', async () => {
		const { dir } = await packWhile((world) => {
			rmSync(path.join(world, 'b-small.mca'));
			symlinkSync('/etc/passwd', path.join(world, 'b-small.mca'));
		});
		expect(existsSync(path.join(dir, 'world/b-small.mca'))).toBe(false);
	});
	test('a small one is read again until it lies still', async () => {
		let writer: NodeJS.Timeout | undefined;
		const { made, dir } = await packWhile((world) => {
			const file = path.join(world, 'b-small.mca');
			writeFileSync(file, ''); // truncated, and written a moment later, as the game does
			writer = setTimeout(() => writeFileSync(file, 'whole'), 20);
		});
		clearTimeout(writer);
		expect(made.warnings).toEqual([]);
		expect(readFileSync(path.join(dir, 'world/b-small.mca'), 'utf8')).toBe('whole');
	});
});

test('only what is asked for is unpacked, with its folders', async () => {
	const { world, pack, unpack } = setUp();
	for (const name of [
		'playerdata/u.dat',
		'playerdata/v.dat',
		'stats/u.json',
		'region/r.mca',
		'u.dat'
	]) {
		mkdirSync(path.dirname(path.join(world, name)), { recursive: true });
		writeFileSync(path.join(world, name), name);
	}
	const made = await pack();
	const { dir, unpacked } = await unpack(made, {
		folders: ['world/playerdata', 'world/stats'],
		prefixes: ['u.']
	});
	expect(unpacked).toBe(2);
	expect([...look(dir).keys()].filter((name) => name.includes('.'))).toEqual([
		'/world/playerdata/u.dat',
		'/world/stats/u.json'
	]);
	expect((await unpack(made, { below: ['world/region'] })).unpacked).toBe(1);
});

test('a hole stays a hole, however large', async () => {
	const { world, pack, unpack } = setUp();
	writeFileSync(path.join(world, 'large.bin'), 'begin');
	truncateSync(path.join(world, 'large.bin'), 64 << 20);
	const { dir } = await unpack(await pack(), { all: true });
	const { size, blocks } = statSync(path.join(dir, 'world/large.bin'));
	expect(size).toBe(64 << 20);
	expect(blocks * 512).toBeLessThan(1 << 20);
});

test('measuring counts what an archive will hold', async () => {
	const { serverDir, world, pack } = setUp();
	grow(Buffer.from(world), seeded(7), 0);
	const sum = await measure({ kind: 'measure', serverDir, roots: WORLD, never: [] });
	const { totals } = await pack();
	expect(sum).toEqual({ bytes: totals.bytes, files: totals.files, worldBytes: totals.worldBytes });
});

describe('an archive that is not what it was', () => {
	async function damaged(
		harm: (bytes: Buffer) => Buffer,
		change: Partial<ReturnType<typeof expectedOf>> = {}
	) {
		const { world, pack, archive, home } = setUp();
		const noise = Buffer.alloc(300_000);
		for (let i = 0; i < noise.length; i++) noise[i] = (i * i * 31 + (i >> 3)) & 0xff;
		writeFileSync(path.join(world, 'region.mca'), noise);
		const made = await pack();
		writeFileSync(archive, harm(readFileSync(archive)));
		const into = { dir: path.join(home, 'x'), select: { all: true } as const, owner: null };
		return readBack(
			{ kind: 'read', file: archive, expected: { ...expectedOf(made), ...change }, into },
			() => {}
		);
	}
	test('one flipped bit, anywhere', async () => {
		for (const share of [0.001, 0.1, 0.5, 0.9, 0.999])
			await expect(
				damaged((bytes) => {
					const at = Math.floor(bytes.length * share);
					bytes[at] = bytes[at]! ^ 0x10;
					return bytes;
				}),
				`at ${share}`
			).rejects.toThrow(BadArchive);
	});
	test('cut off, anywhere', async () => {
		for (const left of [0, 3, 100, 0.5, 0.99, -1, -4])
			await expect(
				damaged((bytes) =>
					bytes.subarray(
						0,
						left > 0 && left < 1 ? bytes.length * left : left < 0 ? bytes.length + left : left
					)
				),
				`after ${left}`
			).rejects.toThrow(BadArchive);
	});
	test('something behind its end', async () => {
		await expect(damaged((bytes) => Buffer.concat([bytes, Buffer.from('more')]))).rejects.toThrow(
			BadArchive
		);
		await expect(
			damaged((bytes) => Buffer.concat([bytes, zstdCompressSync(Buffer.alloc(10))]))
		).rejects.toThrow(BadArchive);
	});
	test('another manifest than it was made with', async () => {
		await expect(damaged((bytes) => bytes, { manifestSha256: '0'.repeat(64) })).rejects.toThrow(
			/manifest/
		);
	});
});

describe('a crafted archive', () => {
	type Crafted = (Partial<Entry> & {
		path: string;
		content?: string;
		raw?: (head: Buffer) => void;
	})[];

	const full = ({ content = '', raw: _raw, ...entry }: Crafted[number]): Entry => ({
		...{ type: 'file', mode: 0o644, size: content.length, mtimeNs: 0n, target: '' },
		...entry
	});
	function resum(head: Buffer) {
		head.fill(0x20, 148, 156);
		let sum = 0;
		for (const byte of head) sum += byte;
		head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
	}
	const tar = (entries: Crafted) =>
		Buffer.concat(
			entries.map((one) => {
				const head = encodeHeader(full(one));
				one.raw?.(head);
				if (one.raw) resum(head);
				return Buffer.concat([
					head,
					Buffer.from(one.content ?? ''),
					Buffer.alloc(padding((one.content ?? '').length))
				]);
			})
		);
	/** Sound in all but its entries: its own manifest fits to them. */
	function craft(entries: Crafted) {
		const sha = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
		const lines = entries.map((one) => {
			const entry = full(one);
			return manifestLine(entry, entry.type === 'file' ? sha(one.content ?? '') : null);
		});
		const files = entries.filter((one) => full(one).type === 'file').length;
		const bytes = entries.reduce((sum, one) => sum + (one.content ?? '').length, 0);
		const totals = { files, entries: entries.length + 1, bytes, worldBytes: 0 };
		const head = {
			...FACTS,
			craftwarden: 'backup',
			version: 1,
			totals,
			linesSha256: sha(lines.join('')),
			warnings: []
		};
		const manifest = `${JSON.stringify(head)}\n${lines.join('')}`;
		const packed = zstdCompressSync(
			Buffer.concat([tar([...entries, { path: MANIFEST, content: manifest }]), Buffer.alloc(1024)])
		);
		return { packed, expected: { bytes: packed.length, manifestSha256: sha(manifest), totals } };
	}
	async function read({ packed, expected }: ReturnType<typeof craft>) {
		const home = tempDir();
		mkdirSync(path.join(home, 'sibling'));
		writeFileSync(path.join(home, 'sibling/file'), 'untouched');
		const file = path.join(home, 'a.tar.zst');
		writeFileSync(file, packed);
		const into = { dir: path.join(home, 'new'), select: { all: true } as const, owner: null };
		const before = [...look(path.join(home, 'sibling'))];
		try {
			return await readBack({ kind: 'read', file, expected, into }, () => {});
		} finally {
			expect(readdirSync(home).sort()).toEqual(['a.tar.zst', 'new', 'sibling']);
			expect([...look(path.join(home, 'sibling'))]).toEqual(before);
		}
	}
	const folder = (name: string) => ({ path: name, type: 'folder' }) as const;

	test('is read when it is sound', async () => {
		expect(await read(craft([folder('world'), { path: 'world/a', content: 'hello' }]))).toEqual({
			unpacked: 1
		});
	});
	test.each<[string, Crafted]>([
		['a name with ..', [folder('world'), { path: 'world/../../sibling/file', content: 'x' }]],
		['a name that is ..', [folder('..')]],
		['an absolute name', [{ path: '/etc/x', content: 'x' }]],
		['an empty part', [folder('world'), { path: 'world//a', content: 'x' }]],
		['a dot', [folder('.')]],
		['a link out', [folder('world'), { path: 'world/a', type: 'link', target: '../../sibling' }]],
		['an absolute link', [folder('world'), { path: 'world/a', type: 'link', target: '/etc' }]],
		[
			'a winding link out',
			[folder('world'), { path: 'world/a', type: 'link', target: 'b/../../x' }]
		],
		[
			'a file through a link',
			[
				folder('world'),
				{ path: 'world/a', type: 'link', target: 'b' },
				{ path: 'world/a/f', content: 'x' }
			]
		],
		[
			'the same name twice',
			[folder('world'), { path: 'world/a', content: 'x' }, { path: 'world/a', content: 'y' }]
		],
		[
			'names out of order',
			[folder('world'), { path: 'world/b', content: 'x' }, { path: 'world/a', content: 'y' }]
		],
		['a file without its folder', [{ path: 'world/a', content: 'x' }]],
		['a set-uid file', [folder('world'), { path: 'world/a', mode: 0o4755, content: 'x' }]],
		['a hard link', [folder('world'), { path: 'world/a', raw: (head) => head.write('1', 156) }]],
		['a device', [folder('world'), { path: 'world/a', raw: (head) => head.write('3', 156) }]],
		['a FIFO', [folder('world'), { path: 'world/a', raw: (head) => head.write('6', 156) }]],
		[
			'a GNU sparse file',
			[folder('world'), { path: 'world/a', raw: (head) => head.write('S', 156) }]
		],
		[
			'a GNU long name',
			[folder('world'), { path: 'world/a', raw: (head) => head.write('L', 156) }]
		],
		['a global header', [{ path: 'g', raw: (head) => head.write('g', 156) }]],
		[
			'a size in base 256',
			[folder('world'), { path: 'world/a', raw: (head) => head.fill(0xff, 124, 136) }]
		],
		['a name too long', [folder('world'), { path: `world/${'a'.repeat(256)}`, content: 'x' }]]
	])('with %s is refused', async (_what, entries) => {
		await expect(read(craft(entries))).rejects.toThrow(BadArchive);
	});
	test('with more than was put into it is refused as soon as that is seen', async () => {
		const sound = craft([folder('world'), { path: 'world/a', content: 'hello' }]);
		const { totals } = sound.expected;
		for (const less of [{ bytes: 3 }, { entries: 2 }])
			await expect(
				read({ ...sound, expected: { ...sound.expected, totals: { ...totals, ...less } } })
			).rejects.toThrow(/more/);
	});
	test('that unpacks to far more than it should is stopped at the first header', async () => {
		const bomb = craft([folder('world'), { path: 'world/a', content: '\0'.repeat(30_000_000) }]);
		expect(bomb.packed.length).toBeLessThan(10_000);
		const { totals } = bomb.expected;
		await expect(
			read({ ...bomb, expected: { ...bomb.expected, totals: { ...totals, bytes: 1000 } } })
		).rejects.toThrow(/more bytes/);
	});
	test('that asks for a window of 2 GB is refused', async () => {
		const sound = craft([folder('world')]);
		const packed = Buffer.from(sound.packed);
		// Not a single segment, window descriptor for 2 GiB.
		const huge = Buffer.concat([
			packed.subarray(0, 4),
			Buffer.from([0x04, 0xa8]),
			packed.subarray(6)
		]);
		await expect(
			read({ packed: huge, expected: { ...sound.expected, bytes: huge.length } })
		).rejects.toThrow(BadArchive);
	});
	test('without a manifest was never finished', async () => {
		const packed = zstdCompressSync(Buffer.concat([tar([folder('world')]), Buffer.alloc(1024)]));
		const expected = {
			bytes: packed.length,
			manifestSha256: '',
			totals: { files: 0, entries: 9, bytes: 0, worldBytes: 0 }
		};
		await expect(read({ packed, expected })).rejects.toThrow(/never finished/);
	});
});

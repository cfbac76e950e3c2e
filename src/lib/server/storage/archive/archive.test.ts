import { execFileSync } from 'node:child_process';
import {
	chmodSync,
	closeSync,
	existsSync,
	ftruncateSync,
	lutimesSync,
	mkdirSync,
	openSync,
	readdirSync,
	rmSync,
	statSync,
	truncateSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
	writeSync
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { staysInside } from './bytes.ts';
import { measure } from './create.ts';
import { MANIFEST } from './manifest.ts';
import { WORLD, setUp, look } from '../../../../../tests/fakes/archives/archive-kit.ts';

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

test('a hundred random trees survive a round trip: names, modes, times, links, holes', async () => {
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

test('special files are left out and named, links are never followed', async () => {
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

test('measuring counts what an archive will contain', async () => {
	const { serverDir, world, pack } = setUp();
	grow(Buffer.from(world), seeded(7), 0);
	const sum = await measure({ kind: 'measure', serverDir, roots: WORLD, never: [] });
	const { totals } = await pack();
	expect(sum).toEqual({ bytes: totals.bytes, files: totals.files, worldBytes: totals.worldBytes });
});

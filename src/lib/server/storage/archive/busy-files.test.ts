import {
	existsSync,
	ftruncateSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { create } from './create.ts';
import { WORLD, FACTS, setUp } from '../../../../../tests/fakes/archives/archive-kit.ts';

describe('files that are written while they are read', () => {
	/** Does something to files as soon as the first byte of a large one is read. */
	async function packWhile(action: (world: string) => void) {
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
				if (!done) action(world);
				done = true;
			}
		);
		void pack;
		return { made, ...(await unpack(made)) };
	}

	test('one that shrinks is padded with zeros and named', async () => {
		const { made, dir } = await packWhile((world) =>
			ftruncateSync(openSync(path.join(world, 'a-large.mca'), 'r+'), 1 << 20)
		);
		expect(made.warnings.join(' ')).toMatch(/a-large.mca shrank while it was read/);
		expect(statSync(path.join(dir, 'world/a-large.mca')).size).toBe(20 << 20);
	});
	test('one that grows keeps its first size, and is named', async () => {
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
	test('a small one is read again until it stays unchanged', async () => {
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

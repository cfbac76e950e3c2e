import { execFileSync } from 'node:child_process';
import { link, lstat, mkdir, readdir, rm, symlink, writeFile, chmod } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { modSet, sha512 } from '../../../../../tests/fakes/mods/change-setup.ts';
import { asSomebody, nobodyElse } from '../../../../../tests/fakes/somebody.ts';
import { tempDir } from '../../../../../tests/faults/temp.ts';
import type { Swap } from './check.ts';
import { createModsSwap, type ModsSwap } from './swap.ts';

const why = nobodyElse();
let mods: string;
let other: string;
let swap: ModsSwap;
beforeEach(async () => {
	const dir = await tempDir();
	[mods, other] = [path.join(dir, 'mods'), path.join(dir, 'other')];
	await mkdir(mods);
	await mkdir(other);
	swap = createModsSwap({ dir: mods });
});

const put = (name: string, content = name) => writeFile(path.join(mods, name), content);
const plan = (facts: Partial<Swap>): Swap => ({ put: [], take: [], rename: [], ...facts });
async function fresh(fileName: string, content = fileName) {
	const from = path.join(other, `${sha512(fileName).slice(0, 8)}.jar`);
	await writeFile(from, content);
	return { fileName, from, sha512: sha512(content) };
}
const old = (fileName: string, content = fileName) => ({ fileName, sha512: sha512(content) });
async function done(what: Swap) {
	expect(await swap.refusal(what)).toBeNull();
	await swap.prepare(what);
	await swap.exchange(what);
}
const names = async () => (await readdir(mods)).sort();

describe('exchanging files', () => {
	test('adds, removes and renames, and leaves everything else alone', async () => {
		for (const name of ['a-1.jar', 'b.jar', 'c.jar', 'notes.txt', '.hidden']) await put(name);
		const what = plan({
			put: [await fresh('a-2.jar')],
			take: [old('a-1.jar')],
			rename: [{ from: 'b.jar', to: 'b.jar.disabled', sha512: sha512('b.jar') }]
		});
		await done(what);
		expect(await names()).toEqual(['.hidden', 'a-2.jar', 'b.jar.disabled', 'c.jar', 'notes.txt']);
		expect((await lstat(path.join(mods, 'a-2.jar'))).mode & 0o777).toBe(0o644);
	});

	test('a file of the same name is replaced in one step', async () => {
		await put('a.jar', 'old');
		await done(plan({ put: [await fresh('a.jar', 'new')], take: [old('a.jar', 'old')] }));
		expect(await modSet(mods)).toEqual({ 'a.jar': sha512('new') });
	});

	test('it can be repeated after it was done, and from any point in between', async () => {
		await put('a-1.jar');
		await put('b.jar.disabled');
		const what = plan({
			put: [await fresh('a-2.jar')],
			take: [old('a-1.jar')],
			rename: [{ from: 'b.jar.disabled', to: 'b.jar', sha512: sha512('b.jar.disabled') }]
		});
		await swap.prepare(what);
		await swap.prepare(what);
		await rm(path.join(mods, 'a-1.jar'));
		await swap.exchange(what);
		await rm(other, { recursive: true });
		await swap.prepare(what);
		await swap.exchange(what);
		expect(await names()).toEqual(['a-2.jar', 'b.jar']);
	});

	test('names that differ only by case: the old one is removed, the new one added', async () => {
		await put('Lithium.jar', 'old');
		await done(
			plan({ put: [await fresh('lithium.jar', 'new')], take: [old('Lithium.jar', 'old')] })
		);
		expect(await modSet(mods)).toEqual({ 'lithium.jar': sha512('new') });
	});

	test('the folder is created when it is missing', async () => {
		await rm(mods, { recursive: true });
		await done(plan({ put: [await fresh('a.jar')] }));
		expect(await names()).toEqual(['a.jar']);
	});

	test('a link instead of the folder is followed: some keep their mods elsewhere', async () => {
		const real = path.join(other, 'real');
		await mkdir(real);
		await rm(mods, { recursive: true });
		await symlink(real, mods);
		await done(plan({ put: [await fresh('a.jar')] }));
		expect(await readdir(real)).toEqual(['a.jar']);
	});

	test('prepared files that are not wanted any more are removed', async () => {
		await swap.prepare(plan({ put: [await fresh('a.jar')] }));
		expect(await names()).toEqual([expect.stringMatching(/^\.craftwarden-[0-9a-f]{32}\.tmp$/)]);
		await swap.tidy();
		expect(await names()).toEqual([]);
	});
});

describe('a file that is not what was planned for', () => {
	const changed = { kind: 'conflict', code: 'plan-changed' };

	test('is not removed', async () => {
		await put('a.jar', 'somebody changed this');
		const what = plan({ take: [old('a.jar', 'old')] });
		await expect(swap.exchange(what)).rejects.toMatchObject(changed);
		expect(await names()).toEqual(['a.jar']);
	});

	test('is not replaced, nor is an unplanned one', async () => {
		await put('a.jar', 'somebody put this here');
		const what = plan({ put: [await fresh('a.jar', 'new')] });
		await swap.prepare(what);
		await expect(swap.exchange(what)).rejects.toMatchObject(changed);
		expect(await modSet(mods)).toEqual({ 'a.jar': sha512('somebody put this here') });
	});

	test('is not renamed over', async () => {
		await put('a.jar', 'a');
		await put('a.jar.disabled', 'b');
		const what = plan({ rename: [{ from: 'a.jar', to: 'a.jar.disabled', sha512: sha512('a') }] });
		await expect(swap.exchange(what)).rejects.toMatchObject(changed);
		expect(await names()).toEqual(['a.jar', 'a.jar.disabled']);
	});

	test('is not added when the download was damaged on the way', async () => {
		const what = plan({ put: [{ ...(await fresh('a.jar')), sha512: sha512('other') }] });
		await expect(swap.prepare(what)).rejects.toMatchObject({ kind: 'conflict' });
		expect(await names()).toEqual([]);
	});
});

describe('what is left alone, with the reason', () => {
	const file = () => path.join(mods, 'a.jar');
	const kinds: [string, () => Promise<unknown>, RegExp][] = [
		['a symlink', () => symlink('/etc/passwd', file()), /symbolic link/],
		['a symlink to nothing', () => symlink('nowhere', file()), /symbolic link/],
		['a folder', () => mkdir(file()), /folder/],
		['a FIFO', async () => execFileSync('mkfifo', [file()]), /not a regular file/],
		['a read-only file', () => put('a.jar').then(() => chmod(file(), 0o444)), /read-only/],
		[
			'a hard link',
			() => put('a.jar').then(() => link(file(), path.join(other, 'twin'))),
			/hard link/
		]
	];
	describe.each(kinds)('%s', (_, make, reason) => {
		test.each<[string, (sha: string) => Promise<Partial<Swap>>]>([
			['taken', async (sha) => ({ take: [{ fileName: 'a.jar', sha512: sha }] })],
			['put', async () => ({ put: [await fresh('a.jar')] })],
			[
				'renamed',
				async (sha) => ({ rename: [{ from: 'a.jar', to: 'a.jar.disabled', sha512: sha }] })
			],
			['renamed to', async (sha) => ({ rename: [{ from: 'b.jar', to: 'a.jar', sha512: sha }] })]
		])('as the one to be %s', async (_, facts) => {
			await make();
			const refusal = await swap.refusal(plan(await facts(sha512('a.jar'))));
			expect(refusal).toMatch(reason);
			expect(refusal).toContain('a.jar');
		});
	});

	test('a name that differs from another only by case, and one that appears twice', async () => {
		await put('Lithium.jar');
		expect(await swap.refusal(plan({ put: [await fresh('lithium.jar')] }))).toMatch(
			/upper and lower/
		);
		const twice = [await fresh('a.jar'), await fresh('A.jar')];
		expect(await swap.refusal(plan({ put: twice }))).toMatch(/alike/);
	});

	test.each(['../a.jar', '/etc/a.jar', '.a.jar', '', 'b/a.jar', 'a\0.jar'])(
		'the name %j',
		async (name) => {
			expect(await swap.refusal(plan({ take: [old(name)] }))).toMatch(/not a file name/);
			expect(await swap.refusal(plan({ put: [await fresh(name)] }))).toMatch(/not a file name/);
		}
	);

	test.skipIf(why)(
		`a file of another user, and everything in a folder of another user${why ? ` (skipped: ${why})` : ''}`,
		async () => {
			await put('a.jar');
			await chmod(path.dirname(mods), 0o755);
			await chmod(file(), 0o644);
			const refusal = (what: Swap) =>
				asSomebody(`
					const { createModsSwap } = await import(${JSON.stringify(import.meta.resolve('./swap.ts'))});
					const swap = createModsSwap({ dir: ${JSON.stringify(mods)} });
					console.log(JSON.stringify(await swap.refusal(${JSON.stringify(what)})));
				`);
			// For whom it is not root's, it is a folder that nobody may write to.
			await chmod(mods, 0o555);
			expect(refusal(plan({ put: [await fresh('b.jar')] }))).toMatch(/mods\/ cannot be changed/);
			await chmod(mods, 0o777);
			if (process.getuid?.() !== 0) await chmod(file(), 0o444);
			expect(refusal(plan({ take: [old('a.jar')] }))).toMatch(
				/mods\/a\.jar (may not be changed by Craftwarden’s user|is read-only)/
			);
			expect(refusal(plan({ put: [await fresh('b.jar')] }))).toBeNull();
		}
	);

	test('a symlink is not followed when it appears after the check', async () => {
		const target = path.join(other, 'precious');
		await writeFile(target, 'a.jar');
		const what = plan({ take: [old('a.jar')] });
		await symlink(target, file());
		await expect(swap.exchange(what)).rejects.toMatchObject({ code: 'plan-changed' });
		expect(await readdir(other)).toEqual(['precious']);
	});
});

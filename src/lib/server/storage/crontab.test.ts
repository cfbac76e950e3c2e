import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fakeCrontab, type Trouble } from '../../../../tests/fakes/crontab.ts';
import { run, type Run } from '../core/exec.ts';
import { createFileCrontab, createUserCrontab } from './crontab.ts';

const FOREIGN = Buffer.from('# mine\r\nMAILTO=""\n\t0 5 * * 1\techo \xff\xfe%\nlast', 'latin1');

/** Node looks a program up in its own PATH. */
const asUser =
	(environment: NodeJS.ProcessEnv): Run =>
	(file, args, options) =>
		run('/bin/sh', ['-c', 'exec "$0" "$@"', file, ...args], {
			...options,
			env: { ...options?.env, ...environment }
		});

async function setup(start?: Buffer) {
	const fake = await fakeCrontab(start);
	onTestFinished(fake.dispose);
	const table = createUserCrontab({ run: asUser(fake.environment), environment: {} });
	return { fake, table };
}

test('what stands there is read and written byte for byte', async () => {
	const { fake, table } = await setup(FOREIGN);
	const text = await table.read();
	expect(Buffer.from(text, 'latin1')).toEqual(FOREIGN);
	await table.write(`${text}\n`, text);
	expect(await fake.bytes()).toEqual(Buffer.concat([FOREIGN, Buffer.from('\n')]));
});

test('no crontab at all is an empty one', async () => {
	const { fake, table } = await setup();
	expect(await table.read()).toBe('');
	await table.write('a\n', '');
	expect(await fake.bytes()).toEqual(Buffer.from('a\n'));
});

test.each<Trouble>(['denied', 'missing-words', 'half-read'])(
	'a crontab that cannot be read (%s) is never written',
	async (trouble) => {
		const { fake, table } = await setup(FOREIGN);
		const text = await table.read();
		await fake.be(trouble);
		await expect(table.read()).rejects.toMatchObject({ kind: 'upstream' });
		await expect(table.write('gone\n', text)).rejects.toMatchObject({ kind: 'upstream' });
		expect(await fake.bytes()).toEqual(FOREIGN);
		expect(await fake.calls()).not.toContain('-');
	}
);

test('a command that is missing is a failure, not an empty crontab', async () => {
	const table = createUserCrontab({
		run: (_, ...rest) => run('/nowhere/crontab', ...rest),
		environment: {}
	});
	await expect(table.read()).rejects.toMatchObject({ kind: 'upstream' });
});

test('a command that hangs is given up', async () => {
	const { fake } = await setup(FOREIGN);
	await fake.be('hangs');
	const hasty: Run = (file, args, options) =>
		asUser(fake.environment)(file, args, { ...options, timeoutMs: 100 });
	const table = createUserCrontab({ run: hasty, environment: {} });
	await expect(table.read()).rejects.toMatchObject({ kind: 'upstream' });
});

test('what somebody else wrote meanwhile is not overwritten', async () => {
	const { fake, table } = await setup(FOREIGN);
	const text = await table.read();
	await fake.write('theirs\n');
	await expect(table.write(`${text}\nours\n`, text)).rejects.toMatchObject({ kind: 'conflict' });
	expect(await fake.bytes()).toEqual(Buffer.from('theirs\n'));
});

test('a write that was refused, or did nothing, or was overtaken, is told', async () => {
	const { fake, table } = await setup(FOREIGN);
	const text = await table.read();
	await fake.be('refuses');
	await expect(table.write('x\n', text)).rejects.toThrow(/bad minute/);
	await fake.be('writes-nothing');
	await expect(table.write('x\n', text)).rejects.toMatchObject({ kind: 'upstream' });
	expect(await fake.bytes()).toEqual(FOREIGN);
	await fake.be('other-writer');
	await expect(table.write('x\n', text)).rejects.toMatchObject({ kind: 'conflict' });
});

test('a file in the crontab’s place keeps bytes, and is never followed through a link', async () => {
	const dir = await mkdtemp(path.join(tmpdir(), 'crontab-'));
	onTestFinished(() => rm(dir, { recursive: true }));
	const file = path.join(dir, 'crontab');
	const table = createFileCrontab(file);
	expect(await table.read()).toBe('');
	await table.write(FOREIGN.toString('latin1'), '');
	expect(await readFile(file)).toEqual(FOREIGN);
	await expect(table.write('x', 'not what is there')).rejects.toMatchObject({ kind: 'conflict' });
	await writeFile(path.join(dir, 'secret'), 'secret');
	await symlink('secret', path.join(dir, 'link'));
	expect(await createFileCrontab(path.join(dir, 'link')).read()).toBe('');
});

import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fakeCrontab, type Trouble } from '../../../../../tests/fakes/crontab.ts';
import { run, type Run } from '#core/exec';
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
	const table = createUserCrontab({
		run: asUser(fake.environment),
		environment: {},
		dir: fake.dir
	});
	return { fake, table };
}

test('its content is read and written byte for byte', async () => {
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

test.each(['\r', '\b', '\f'])(
	'a table whose %j is displayed differently is not written',
	async (byte) => {
		const { fake, table } = await setup(Buffer.from(`# theirs${byte}\n`));
		for (const trouble of ['escapes', 'escapes-without-editor'] as const) {
			await fake.be(trouble);
			const text = await table.read();
			const written = table.write(`${text}ours\n`, text);
			await expect(written).rejects.toMatchObject({ kind: 'conflict' });
			await expect(written).rejects.toThrow(/nothing was written.*crontab -e/);
			expect(await fake.bytes()).toEqual(Buffer.from(`# theirs${byte}\n`));
			expect(await fake.calls()).not.toContain('-');
		}
	}
);

test('a backslash and a letter that are really there do not matter', async () => {
	const start = String.raw`0 1 * * * grep '\bfoo\r' x`;
	const { fake, table } = await setup(Buffer.from(`${start}\n`));
	await fake.be('escapes');
	const text = await table.read();
	await table.write(`${text}ours\n`, text);
	expect(await fake.bytes()).toEqual(Buffer.from(`${start}\nours\n`));
	await fake.be('escapes-without-editor');
	const now = await table.read();
	await expect(table.write(text, now)).rejects.toMatchObject({ kind: 'conflict' });
});

test('a command that is missing is a failure, not an empty crontab', async () => {
	const table = createUserCrontab({
		run: (_, ...rest) => run('/nowhere/crontab', ...rest),
		environment: {},
		dir: tmpdir()
	});
	await expect(table.read()).rejects.toMatchObject({ kind: 'upstream' });
});

test('a command that hangs is aborted', async () => {
	const { fake } = await setup(FOREIGN);
	await fake.be('hangs');
	const hasty: Run = (file, args, options) =>
		asUser(fake.environment)(file, args, { ...options, timeoutMs: 100 });
	const table = createUserCrontab({ run: hasty, environment: {}, dir: fake.dir });
	await expect(table.read()).rejects.toMatchObject({ kind: 'upstream' });
});

test('a concurrent change by somebody else is not overwritten', async () => {
	const { fake, table } = await setup(FOREIGN);
	const text = await table.read();
	await fake.write('theirs\n');
	await expect(table.write(`${text}\nours\n`, text)).rejects.toMatchObject({ kind: 'conflict' });
	expect(await fake.bytes()).toEqual(Buffer.from('theirs\n'));
});

test('a write that was refused, had no effect, or was overtaken, is reported', async () => {
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

test('a command that dies or hangs halfway leaves the old one intact, and that is reported', async () => {
	const { fake } = await setup(FOREIGN);
	const hasty: Run = (file, args, options) =>
		asUser(fake.environment)(file, args, {
			...options,
			...(args[0] === '-' && { timeoutMs: 200 })
		});
	const table = createUserCrontab({ run: hasty, environment: {}, dir: fake.dir });
	const text = await table.read();
	for (const trouble of ['dies', 'hangs-in-writing'] as const) {
		await fake.be(trouble);
		await expect(table.write(`${text}x\n`, text)).rejects.toMatchObject({ kind: 'upstream' });
		expect(await fake.bytes()).toEqual(FOREIGN);
	}
	// One that hangs after it has done its work has done it.
	await fake.be('hangs-when-written');
	await table.write(`${text}x\n`, text);
	expect(await fake.bytes()).toEqual(Buffer.concat([FOREIGN, Buffer.from('x\n')]));
});

test('a crontab that cannot be read back after a write is reported as unknown', async () => {
	const { fake } = await setup(FOREIGN);
	const table = createUserCrontab({
		async run(file, args, options) {
			const result = await asUser(fake.environment)(file, args, options);
			if (args[0] === '-') await fake.be('denied');
			return result;
		},
		environment: {},
		dir: fake.dir
	});
	const text = await table.read();
	const written = table.write(`${text}x\n`, text);
	await expect(written).rejects.toMatchObject({ kind: 'upstream' });
	await expect(written).rejects.toThrow(/nobody knows whether it was changed/);
});

test('a dashboard that is killed while the command reads its input leaves the old one or the new one', async () => {
	// More than a pipe holds: what has not been taken yet is lost with its writer.
	const start = Buffer.concat([Buffer.alloc(1 << 20, FOREIGN), Buffer.from('\n')]);
	const { fake } = await setup(start);
	await fake.be('kills-caller');
	const script = `
		const { run } = await import(${JSON.stringify(import.meta.resolve('../../core/exec.ts'))});
		const { createUserCrontab } = await import(${JSON.stringify(import.meta.resolve('./crontab.ts'))});
		const table = createUserCrontab({ run, environment: process.env, dir: process.argv[1] });
		const text = await table.read();
		await table.write(text + '0 4 * * * ours\\n', text);
	`;
	const caller = run(process.execPath, ['--input-type=module', '-e', script, fake.dir], {
		env: fake.environment
	});
	await expect(caller).rejects.toThrow('exit code -1');
	await vi.waitFor(async () => expect((await fake.calls()).at(-1)).toBe('end'), 10_000);
	const whole = Buffer.concat([start, Buffer.from('0 4 * * * ours\n')]);
	expect((await fake.bytes())?.equals(whole)).toBe(true);
	expect((await readdir(fake.dir)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('a file used as the crontab keeps its bytes, and is never followed through a link', async () => {
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

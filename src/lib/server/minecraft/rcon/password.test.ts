import { describe, expect, onTestFinished, test } from 'vitest';
import { startFakeRcon } from '../../../../../tests/fakes/game/rcon.ts';
import { setup, failure } from '../../../../../tests/fakes/game/rcon-kit.ts';
import type { AppError } from '#core/errors';

describe('the password', () => {
	const SECRET = 'pä§s:=#!\\ "wörd€';

	test('may contain any characters, and appears in no error, however it fails', async () => {
		const { fake, rcon, place, clock } = await setup({ password: SECRET });
		expect(await rcon.command('list')).toBe('<list>');
		const errors: AppError[] = [];
		fake.drop('rst');
		for (const login of ['silent', 'close', 'rst', 'wrong-type'] as const) {
			fake.script.login = login;
			errors.push(await failure(rcon.command('list', { timeoutMs: 300 })));
			clock.forward(60_000);
		}
		fake.script.login = 'check';
		fake.script.password = 'another';
		errors.push(await failure(rcon.command('list')));
		place.address = { ...fake.address, password: SECRET.repeat(200) };
		errors.push(await failure(rcon.command('list')));
		for (const error of errors) {
			const all = `${error.message} ${error.stack} ${JSON.stringify(error)} ${(error.cause as Error)?.stack}`;
			expect(all).not.toContain(SECRET);
		}
		expect(errors.map(({ code }) => code)).toEqual([
			'rcon-silent',
			'rcon-auth-unsure',
			'rcon-auth-unsure',
			'rcon-auth',
			'rcon-auth',
			'rcon-auth'
		]);
	});

	test('that is rejected is not tried again for 30 s, however often somebody asks', async () => {
		const { fake, rcon, place, clock } = await setup();
		place.address = { ...fake.address, password: 'wrong' };
		for (let i = 0; i < 5; i++)
			expect(await failure(rcon.command('list'))).toMatchObject({
				kind: 'offline',
				code: 'rcon-auth'
			});
		clock.forward(29_900);
		expect((await failure(rcon.command('list'))).code).toBe('rcon-auth');
		expect(fake.refused).toBe(1);
		clock.forward(10_000);
		expect((await failure(rcon.command('list'))).code).toBe('rcon-auth');
		expect(fake.refused).toBe(2);
		expect(fake.commands).toEqual([]);
	});

	test('that changed in the file is used at once', async () => {
		const { fake, rcon, place } = await setup();
		place.address = { ...fake.address, password: 'wrong' };
		await failure(rcon.command('list'));
		place.address = fake.address;
		expect(await rcon.command('list')).toBe('<list>');
		expect([fake.refused, fake.logins]).toEqual([1, 1]);
	});

	test('that changed in the file does not close a working connection: the game reads the file only at its start', async () => {
		const { fake, rcon, place } = await setup();
		await rcon.command('list');
		place.address = { ...fake.address, password: 'for the next start' };
		expect(await rcon.command('seed')).toBe('<seed>');
		expect(fake.connections).toBe(1);
	});

	test('is empty or missing: RCON is off, and nothing is tried', async () => {
		const { fake, rcon, place } = await setup();
		await rcon.command('list');
		for (const address of [null, { ...fake.address, password: '' }]) {
			place.address = address;
			expect(await failure(rcon.command('list'))).toMatchObject({
				kind: 'offline',
				code: 'rcon-off'
			});
		}
		await fake.until(() => fake.open === 0);
		expect(fake.connections).toBe(1);
	});

	test('an empty packet before the answer to the login, as Source servers send it, does not matter', async () => {
		const { rcon } = await setup({ login: 'source' });
		expect(await rcon.command('list')).toBe('<list>');
	});

	test('another port in the file is used for the next command', async () => {
		const { fake, rcon, place } = await setup();
		const other = await startFakeRcon({ answer: () => 'the other' });
		onTestFinished(() => other.close());
		await rcon.command('list');
		place.address = other.address;
		expect(await rcon.command('list')).toBe('the other');
		await fake.until(() => fake.open === 0);
	});
});

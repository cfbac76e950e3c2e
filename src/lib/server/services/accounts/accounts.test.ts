import { argon2Sync, scryptSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import type { Actor } from '#core/actor';
import { recipeOf, verifyPassword, type Phc } from '#core/credentials';
import { createAccounts, createDirectory, type Origin } from './index.ts';
import { createThrottle } from './throttle.ts';

/** Real hashes, but cheap ones: these tests make hundreds of attempts. */
const b64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
const SALT = Buffer.from('somesalt');
const cheapScrypt = (password: string) =>
	`$scrypt$ln=4,r=1,p=1$${b64(SALT)}$${b64(scryptSync(password, SALT, 32, { N: 16, r: 1, p: 1 }))}`;
const cheapArgon = (message: string) => {
	const cost = { parallelism: 1, tagLength: 32, memory: 8, passes: 1 };
	return `$argon2id$v=19$m=8,t=1,p=1$${b64(SALT)}$${b64(argon2Sync('argon2id', { message, nonce: SALT, ...cost }))}`;
};
const ADA = { name: 'Ada', password: cheapScrypt('correct horse'), role: 'superadmin' as const };
const BOB = { name: 'bob', password: cheapArgon('password'), role: 'admin' as const };

async function setup({ known = [] as string[], secret = 'a secret', accounts = [ADA, BOB] } = {}) {
	const clock = createManualClock();
	const audit: {
		by: Actor;
		action: string;
		subject?: string | null;
		result: string;
		detail?: string;
	}[] = [];
	const work: string[] = [];
	const service = createAccounts({
		directory: await createDirectory(accounts, secret),
		accounts,
		secret,
		throttle: createThrottle({ clock }),
		knows: (account, prefix) => known.includes(`${account} ${prefix}`),
		record: async (by, action, facts) => void audit.push({ by, action, ...facts }),
		verify: (password, phc) => {
			work.push(recipeOf(phc));
			return verifyPassword(password, phc);
		}
	});
	const enter = (username: unknown, password: unknown, from: Partial<Origin> = {}) =>
		service.authorize({ username, password }, { address: '192.0.2.1', device: null, ...from });
	/** The kind of refusal, or the name of the person who signed in. */
	const tryTo = (...args: Parameters<typeof enter>) =>
		enter(...args).then(
			({ account }) => account.name,
			(error: { kind: string }) => error.kind
		);
	return { service, clock, audit, work, enter, tryTo };
}

describe('signing in', () => {
	test('works with clear text and with a hash, and names the configured role', async () => {
		const accounts = [{ ...ADA, password: 'correct horse' }, BOB];
		const { enter, service, audit, tryTo } = await setup({ accounts });
		const { account } = await enter('Ada', 'correct horse');
		expect(account).toMatchObject({ key: 'ada', name: 'Ada', role: 'superadmin' });
		expect((await enter('bob', 'password')).account.role).toBe('admin');
		expect(service.find('ada')).toEqual(account);
		expect(service.find('eve')).toBeNull();
		expect(await tryTo('ada', 'correct horsf')).toBe('unauthorized');
		expect(audit.slice(0, 2)).toEqual([
			expect.objectContaining({
				by: { name: 'Ada', role: 'superadmin', address: '192.0.2.1' },
				action: 'session.start',
				result: 'done'
			}),
			expect.objectContaining({ by: expect.objectContaining({ name: 'bob' }), result: 'done' })
		]);
	});

	test.each([' ada ', 'ADA', 'Ａｄａ', 'a\u200eda', 'ada\u200b'])(
		'%j is Ada however it is typed',
		async (name) => {
			const { tryTo } = await setup();
			expect(await tryTo(name, 'correct horse')).toBe('Ada');
		}
	);

	test.each(['Correct horse', 'correct horse ', 'correct hors', 'correct horse\0', 'password'])(
		'%j is not the password',
		async (password) => {
			const { tryTo } = await setup();
			expect(await tryTo('ada', password)).toBe('unauthorized');
		}
	);

	test.each([
		['', 'x'],
		['ada', ''],
		['   ', 'x'],
		['ada', 'x'.repeat(1025)],
		['x'.repeat(2000), 'x'],
		[undefined, undefined],
		[['ada', 'bob'], 'x'],
		[{ name: 'ada' }, 'x'],
		['ada', ['correct horse']]
	])(
		'%j with that password is malformed before anything is hashed or counted',
		async (name, password) => {
			const { tryTo, work, audit } = await setup();
			for (let i = 0; i < 10; i++) expect(await tryTo(name, password)).toBe('malformed');
			expect(work).toEqual([]);
			expect(audit).toEqual([]);
			expect(await tryTo('ada', 'correct horse')).toBe('Ada');
		}
	);

	test('a password of 1024 characters is compared as a whole', async () => {
		const password = `${'x'.repeat(1023)}y`;
		const { tryTo } = await setup({ accounts: [{ ...ADA, password: cheapScrypt(password) }] });
		expect(await tryTo('ada', `${'x'.repeat(1023)}z`)).toBe('unauthorized');
		expect(await tryTo('ada', password)).toBe('Ada');
	});
});

describe('user names cannot be probed', () => {
	test('the work and the refusal are the same for every name, even with two kinds of hashes', async () => {
		const { enter, work } = await setup();
		const seen = [];
		for (const name of ['ada', 'bob', 'eve', '\u200b']) {
			work.length = 0;
			const { message, kind, code } = await enter(name, 'wrong').catch((error) => error);
			seen.push({ work: [...work], message, kind, code });
		}
		expect(seen[0]!.work).toHaveLength(2);
		for (const one of seen) expect(one).toEqual(seen[0]);
	});

	test('the hash of one account does not open the other', async () => {
		const { tryTo } = await setup();
		expect(await tryTo('bob', 'correct horse')).toBe('unauthorized');
		expect(await tryTo('ada', 'password')).toBe('unauthorized');
		expect(await tryTo('eve', 'password')).toBe('unauthorized');
	});

	test('an unknown name is not logged: it may be a password', async () => {
		const { tryTo, audit } = await setup();
		await tryTo('my secret password', 'x');
		await tryTo('ada', 'x');
		expect(JSON.stringify(audit)).not.toContain('my secret password');
		expect(audit.map(({ subject, result }) => [subject, result])).toEqual([
			[null, 'refused'],
			['Ada', 'refused']
		]);
	});
});

describe('guessing', () => {
	test('ends after five tries, even with the right password, until the minute is over', async () => {
		const { tryTo, enter, clock, work } = await setup();
		for (let i = 0; i < 5; i++) expect(await tryTo('ada', `wrong ${i}`)).toBe('unauthorized');
		work.length = 0;
		const refusal = await enter('ada', 'correct horse').catch((error) => error);
		expect(refusal).toMatchObject({ kind: 'throttled', retryAfterS: 60 });
		expect(work).toEqual([]);
		expect(await tryTo('bob', 'password')).toBe('bob');
		expect(await tryTo('ada', 'correct horse', { address: '192.0.2.2' })).toBe('Ada');
		await clock.advance(60_000);
		expect(await tryTo('ada', 'correct horse')).toBe('Ada');
	});

	test('all addresses of one IPv6 network count as one place', async () => {
		const { tryTo } = await setup();
		for (let i = 0; i < 5; i++) await tryTo('ada', 'wrong', { address: `2001:db8::${i}` });
		expect(await tryTo('ada', 'correct horse', { address: '2001:db8::ffff' })).toBe('throttled');
		expect(await tryTo('ada', 'correct horse', { address: '2001:db8:0:1::1' })).toBe('Ada');
	});

	test('200 wrong tries a minute from one address do not affect another', async () => {
		const { tryTo } = await setup();
		const answers = new Set<string>();
		for (let i = 0; i < 200; i++) answers.add(await tryTo(i % 2 ? 'ada' : `name ${i}`, 'wrong'));
		expect([...answers].sort()).toEqual(['throttled', 'unauthorized']);
		expect(await tryTo('ada', 'correct horse', { address: '198.51.100.1' })).toBe('Ada');
	});

	test('from many addresses is slowed, while a known device and a known address still get in', async () => {
		const { tryTo, enter } = await setup({ known: ['ada 203.0.113.9'] });
		const { device } = await enter('ada', 'correct horse');
		const answers = [];
		for (let i = 0; i < 60; i++)
			answers.push(await tryTo('ada', 'wrong', { address: `10.0.0.${i}` }));
		expect(answers.filter((answer) => answer === 'unauthorized').length).toBeLessThanOrEqual(10);
		const elsewhere = { address: '198.51.100.1' };
		expect(await tryTo('ada', 'correct horse', elsewhere)).toBe('throttled');
		expect(await tryTo('ada', 'correct horse', { ...elsewhere, device })).toBe('Ada');
		expect(await tryTo('ada', 'correct horse', { address: '203.0.113.9' })).toBe('Ada');
		expect(await tryTo('bob', 'password', elsewhere)).toBe('bob');
	});

	test('a device cookie that belongs to somebody else, is forged or has an old password opens no door', async () => {
		const first = await setup();
		const { device } = await first.enter('ada', 'correct horse');
		const flood = async ({ tryTo }: typeof first) => {
			for (let i = 0; i < 12; i++) await tryTo('ada', 'wrong', { address: `10.0.0.${i}` });
		};
		await flood(first);
		const { device: bobs } = await first.enter('bob', 'password');
		for (const cookie of [bobs, `${device.slice(0, -3)}AAA`, '', 'x'.repeat(10_000), `${device}x`])
			expect(await first.tryTo('ada', 'correct horse', { device: cookie })).toBe('throttled');
		const changed = await setup({
			accounts: [{ ...ADA, password: cheapScrypt('another one') }, BOB]
		});
		await flood(changed);
		expect(await changed.tryTo('ada', 'another one', { device })).toBe('throttled');
	});

	test('with a known device is limited by device', async () => {
		const { tryTo, enter } = await setup();
		const { device } = await enter('ada', 'correct horse');
		for (let i = 0; i < 5; i++)
			expect(await tryTo('ada', 'wrong', { device, address: `10.0.0.${i}` })).toBe('unauthorized');
		expect(await tryTo('ada', 'correct horse', { device })).toBe('throttled');
		expect(await tryTo('ada', 'correct horse')).toBe('Ada');
	});

	test('in parallel gets no further, and too many hashes at once are refused as busy', async () => {
		const { tryTo } = await setup({ accounts: [ADA] });
		const one = await Promise.all(Array.from({ length: 50 }, () => tryTo('ada', 'wrong')));
		expect(one.filter((answer) => answer === 'unauthorized')).toHaveLength(5);
		const many = await Promise.all(
			Array.from({ length: 50 }, (_, i) => tryTo(`name ${i}`, 'wrong', { address: `10.1.${i}.1` }))
		);
		expect(many.filter((answer) => answer === 'unauthorized')).toHaveLength(22);
		expect(many.filter((answer) => answer === 'busy')).toHaveLength(28);
	});

	test('a try that was refused as busy or failed on our side does not count as a wrong password', async () => {
		const broken = { fail: true };
		const clock = createManualClock();
		const service = createAccounts({
			directory: await createDirectory([ADA], 's'),
			accounts: [ADA],
			secret: 's',
			throttle: createThrottle({ clock }),
			knows: () => false,
			record: async () => {},
			verify: async (password: string, phc: Phc) => {
				if (broken.fail) throw new Error('no memory');
				return verifyPassword(password, phc);
			}
		});
		const enter = () =>
			service.authorize(
				{ username: 'ada', password: 'correct horse' },
				{ address: null, device: null }
			);
		for (let i = 0; i < 10; i++) await expect(enter()).rejects.toThrow('no memory');
		broken.fail = false;
		await expect(enter()).resolves.toMatchObject({ account: { name: 'Ada' } });
	});
});

test('the mark changes only with the password and the secret, and does not reveal the password', async () => {
	const markOf = async (password: string, secret = 'one') =>
		(await setup({ secret, accounts: [{ ...ADA, password }] })).service.find('ada')!.mark;
	const mark = await markOf('correct horse');
	expect(await markOf('correct horse')).toBe(mark);
	expect(await markOf('correct horsf')).not.toBe(mark);
	expect(await markOf('correct horse', 'two')).not.toBe(mark);
	expect(mark).not.toContain('correct');
});

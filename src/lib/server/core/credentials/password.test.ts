import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
	createHashQueue,
	decoyOf,
	hashPassword,
	looksLikePhc,
	parsePhc,
	recipeOf,
	verifyPassword
} from './password.ts';

const SALT = 'c29tZXNhbHQ';
const HASH = 'CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';

describe('hashes in PHC format', () => {
	test('hashes of other programs are understood: argon2 reference, scrypt of passlib', async () => {
		const argon2id = parsePhc(`$argon2id$v=19$m=65536,t=2,p=1$${SALT}$${HASH}`);
		expect(await verifyPassword('password', argon2id)).toBe(true);
		expect(await verifyPassword('Password', argon2id)).toBe(false);
		const scrypt = parsePhc(
			'$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E'
		);
		expect(await verifyPassword('password', scrypt)).toBe(true);
		expect(await verifyPassword('', scrypt)).toBe(false);
	});

	test.each([
		['$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy', 'only $scrypt$'],
		['$scrypt$', 'the salt must'],
		[`$scrypt$r=8,ln=14,p=1$${SALT}$${HASH}`, 'ln, r, p in this order'],
		[`$scrypt$ln=14,r=8,p=1,x=1$${SALT}$${HASH}`, 'unknown parameters'],
		[`$scrypt$ln=14,r=8,p=0$${SALT}$${HASH}`, 'ln, r, p in this order'],
		[`$scrypt$ln=1e9,r=8,p=1$${SALT}$${HASH}`, 'ln, r, p in this order'],
		[`$scrypt$ln=14,r=8,p=1$${SALT}`, 'the hash must be base64'],
		[`$scrypt$ln=14,r=8,p=1$${SALT}$${HASH}$x`, 'too many parts'],
		[`$scrypt$ln=14,r=8,p=1$${SALT}==$${HASH}`, 'base64 without padding'],
		[`$scrypt$ln=14,r=8,p=1$abc$${HASH}`, 'the salt must'],
		[`$scrypt$ln=14,r=8,p=1$${SALT}$AAAA`, '16 to 64 bytes'],
		[`$scrypt$ln=19,r=8,p=1$${SALT}$${HASH}`, 'more than 256 MiB'],
		[`$scrypt$ln=14,r=8,p=1000$${SALT}$${HASH}`, 'p larger than'],
		[`$argon2id$m=65536,t=2,p=1$${SALT}$${HASH}`, 'v=19'],
		[`$argon2id$v=16$m=65536,t=2,p=1$${SALT}$${HASH}`, 'v=19'],
		[`$argon2id$v=19$m=4194304,t=2,p=1$${SALT}$${HASH}`, 'm larger than'],
		[`$argon2id$v=19$m=65536,t=9999,p=1$${SALT}$${HASH}`, 't larger than'],
		[`$argon2id$v=19$m=16,t=2,p=4$${SALT}$${HASH}`, '8 times p']
	])('%s is rejected', (text, why) => {
		expect(looksLikePhc(text)).toBe(true);
		expect(() => parsePhc(text)).toThrow(why);
	});

	test('random damage to a hash is rejected or read, never anything else', () => {
		const good = `$argon2id$v=19$m=65536,t=2,p=1$${SALT}$${HASH}`;
		for (let i = 0; i < 2000; i++) {
			const bytes = Buffer.from(good);
			bytes[randomBytes(1)[0]! % bytes.length] = randomBytes(1)[0]!;
			const text = bytes.toString('latin1');
			try {
				const phc = parsePhc(text);
				expect(['scrypt', 'argon2id']).toContain(phc.kind);
			} catch (error) {
				expect((error as Error).message).toMatch(/hash|salt/);
			}
		}
	});
});

test('a clear-text password is hashed with a fresh salt, and every byte of it matters', async () => {
	const long = 'x'.repeat(72);
	const [one, two] = [await hashPassword(`${long}a`), await hashPassword(`${long}a`)];
	expect(one.salt.equals(two.salt)).toBe(false);
	expect(await verifyPassword(`${long}a`, one)).toBe(true);
	expect(await verifyPassword(`${long}b`, one)).toBe(false);
	const nul = await hashPassword('before\0after');
	expect(await verifyPassword('before\0after', nul)).toBe(true);
	expect(await verifyPassword('before\0other', nul)).toBe(false);
	expect(await verifyPassword('before', nul)).toBe(false);
	expect(await verifyPassword('before\0after\0', nul)).toBe(false);
});

test('a decoy has the parameters of the hash that it stands for and matches nothing', async () => {
	const hash = await hashPassword('correct horse');
	expect(recipeOf(decoyOf(hash))).toBe(recipeOf(hash));
	expect(await verifyPassword('correct horse', decoyOf(hash))).toBe(false);
});

describe('the queue', () => {
	const held = () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		return { promise, resolve };
	};

	test('runs two at once, queues twenty and refuses the next at once', async () => {
		const queue = createHashQueue();
		const gate = held();
		let running = 0;
		let most = 0;
		const job = async () => {
			most = Math.max(most, ++running);
			await gate.promise;
			running--;
		};
		const accepted = Array.from({ length: 22 }, () => queue('stranger', job));
		await expect(queue('stranger', job)).rejects.toMatchObject({ kind: 'busy', retryAfterS: 5 });
		gate.resolve();
		await Promise.all(accepted);
		expect(most).toBe(2);
		await expect(queue('stranger', async () => 'free again')).resolves.toBe('free again');
	});

	test('lets known people pass a queue full of strangers', async () => {
		const queue = createHashQueue({ running: 1, waiting: 2 });
		const gate = held();
		const order: string[] = [];
		const first = queue('stranger', () => gate.promise);
		const jobs = ['stranger', 'stranger', 'known'] as const;
		const waiting = jobs.map((lane) => queue(lane, async () => void order.push(lane)));
		gate.resolve();
		await Promise.all([first, ...waiting]);
		expect(order).toEqual(['known', 'stranger', 'stranger']);
	});

	test('a job that fails frees its place', async () => {
		const queue = createHashQueue({ running: 1, waiting: 1 });
		await expect(queue('known', () => Promise.reject(new Error('no memory')))).rejects.toThrow();
		await expect(queue('known', async () => 1)).resolves.toBe(1);
	});
});

import { argon2, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { AppError } from '#core/errors';

/** A password hash in PHC form, parsed. */
export type Phc =
	| { kind: 'scrypt'; log2N: number; r: number; p: number; salt: Buffer; hash: Buffer }
	| { kind: 'argon2id'; memoryKiB: number; passes: number; p: number; salt: Buffer; hash: Buffer };

/** The limit on the cost of one sign-in: more is a mistake in the configuration, or an attack on our memory. */
const MEMORY_MAX_KIB = 256 * 1024;
const PASSES_MAX = 16;
const LANES_MAX = 16;
const SALT_BYTES = { min: 8, max: 64 };
const HASH_BYTES = { min: 16, max: 64 };
/** Extra memory that scrypt needs besides its table. */
const SCRYPT_MAXMEM = (MEMORY_MAX_KIB + 1024) * 1024;
/**
 * For a clear-text password from the environment: this hash never leaves the process, so its cost only has to be the
 * same for everybody. 4 MiB, about 15 ms: the allocator keeps larger tables for the rest of the run.
 */
const OWN = { kind: 'scrypt', log2N: 12, r: 8, p: 1 } as const;

/** Looks like `$name$…`: meant as a hash, even if it is broken. */
export const looksLikePhc = (text: string) => /^\$[a-z0-9-]+\$/i.test(text);

/** Throws an Error whose message says what is wrong with the text. */
export function parsePhc(text: string): Phc {
	const [empty, kind, ...rest] = text.split('$');
	if (empty !== '' || (kind !== 'scrypt' && kind !== 'argon2id'))
		throw new Error('only $scrypt$… and $argon2id$… hashes are understood');
	if (kind === 'argon2id' && rest.shift() !== 'v=19') throw new Error('the hash must say v=19');
	const [parameters = '', salt = '', hash = '', ...more] = rest;
	if (more.length) throw new Error('the hash has too many parts');
	const tail = { salt: bytes('salt', salt, SALT_BYTES), hash: bytes('hash', hash, HASH_BYTES) };
	if (kind === 'scrypt') {
		const { ln, r, p } = numbers(parameters, { ln: 30, r: 64, p: LANES_MAX });
		if ((2 ** ln * r) / 8 > MEMORY_MAX_KIB) throw new Error('the hash needs more than 256 MiB');
		return { kind, log2N: ln, r, p, ...tail };
	}
	const { m, t, p } = numbers(parameters, { m: MEMORY_MAX_KIB, t: PASSES_MAX, p: LANES_MAX });
	if (m < 8 * p) throw new Error('the hash must have m of at least 8 times p');
	return { kind, memoryKiB: m, passes: t, p, ...tail };
}

/** `ln=15,r=8,p=1`: exactly these names in this order, whole numbers from 1 to their limit. */
function numbers<K extends string>(text: string, limits: Record<K, number>): Record<K, number> {
	const names = Object.keys(limits) as K[];
	const parts = text.split(',');
	const values = names.map((name, i) => {
		const value = new RegExp(`^${name}=([1-9]\\d{0,8})$`).exec(parts[i] ?? '')?.[1];
		if (value === undefined)
			throw new Error(`the hash must have ${names.join(', ')} in this order`);
		if (Number(value) > limits[name])
			throw new Error(`the hash has ${name} larger than ${limits[name]}`);
		return [name, Number(value)];
	});
	if (parts.length !== names.length) throw new Error('the hash has unknown parameters');
	return Object.fromEntries(values) as Record<K, number>;
}

function bytes(name: string, text: string, { min, max }: { min: number; max: number }): Buffer {
	const data = Buffer.from(text, 'base64');
	if (!/^[A-Za-z0-9+/]+$/.test(text) || data.toString('base64').replace(/=+$/, '') !== text)
		throw new Error(`the ${name} must be base64 without padding`);
	if (data.length < min || data.length > max)
		throw new Error(`the ${name} must have ${min} to ${max} bytes`);
	return data;
}

/** Two hashes with the same recipe take the same work. */
export const recipeOf = (phc: Phc) =>
	phc.kind === 'scrypt'
		? `scrypt ${phc.log2N} ${phc.r} ${phc.p} ${phc.hash.length}`
		: `argon2id ${phc.memoryKiB} ${phc.passes} ${phc.p} ${phc.hash.length}`;

/** A hash of the same recipe that no password matches: unknown names are compared with it. */
export const decoyOf = (phc: Phc): Phc => ({
	...phc,
	salt: randomBytes(phc.salt.length),
	hash: randomBytes(phc.hash.length)
});

function derive(password: string, phc: Phc): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		const done = (error: Error | null, key: Buffer) => (error ? reject(error) : resolve(key));
		if (phc.kind === 'scrypt') {
			const { log2N, r, p } = phc;
			const cost = { N: 2 ** log2N, r, p, maxmem: SCRYPT_MAXMEM };
			scrypt(password, phc.salt, phc.hash.length, cost, done);
		} else {
			const { memoryKiB: memory, passes, p: parallelism, salt: nonce } = phc;
			const tagLength = phc.hash.length;
			argon2(
				'argon2id',
				{ message: password, nonce, parallelism, tagLength, memory, passes },
				done
			);
		}
	});
}

/** To HMAC, and so to scrypt, a short key equals the same key followed by NULs: no password ends with them. */
export async function verifyPassword(password: string, phc: Phc): Promise<boolean> {
	return timingSafeEqual(await derive(password, phc), phc.hash) && !password.endsWith('\0');
}

/** A hash of a clear-text password with a fresh salt. */
export async function hashPassword(password: string): Promise<Phc> {
	const blank: Phc = { ...OWN, salt: randomBytes(16), hash: Buffer.alloc(32) };
	return { ...blank, hash: await derive(password, blank) };
}

export type Lane = 'known' | 'stranger';
/** Runs hashing jobs, at most `running` at once; `AppError('busy')` when `waiting` wait already in that lane. */
export type HashQueue = <T>(lane: Lane, job: () => Promise<T>) => Promise<T>;

/** People whose device or address has signed in before have a lane of their own and go first. */
export function createHashQueue({ running = 2, waiting = 20 } = {}): HashQueue {
	const lanes: Record<Lane, (() => void)[]> = { known: [], stranger: [] };
	let busy = 0;
	const next = () => (lanes.known.shift() ?? lanes.stranger.shift())?.();

	return async (lane, job) => {
		if (busy >= running) {
			if (lanes[lane].length >= waiting)
				throw new AppError('busy', 'Too many people are logging in. Try again in a few seconds.', {
					retryAfterS: 5
				});
			await new Promise<void>((resolve) => lanes[lane].push(resolve));
		} else busy++;
		try {
			return await job();
		} finally {
			// The slot is handed over directly, so that nobody slips in between.
			if (lanes.known.length + lanes.stranger.length > 0) next();
			else busy--;
		}
	};
}

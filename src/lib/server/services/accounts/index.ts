import { createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { AuditAction } from '#schemas/audit';
import { Credentials } from '#schemas/session';
import type { Role } from '#schemas/common';
import type { Actor } from '#core/actor';
import { addressPrefix } from '#core/net';
import { AppError } from '#core/errors';
import {
	foldName,
	createHashQueue,
	decoyOf,
	hashPassword,
	looksLikePhc,
	parsePhc,
	recipeOf,
	verifyPassword,
	type HashQueue,
	type Phc
} from '#core/credentials';
import type { Attempt, Throttle } from './throttle.ts';

export { createThrottle } from './throttle.ts';

export type Account = {
	/** The folded name: what sessions and limits are keyed by. */
	key: string;
	name: string;
	role: Role;
	/** Changes with the configured password, and reveals nothing about it. */
	mark: string;
};

/** Where a sign-in comes from: the address, and the device cookie of an earlier sign-in. */
export type Origin = { address: string | null; device: string | null };

/** The configured accounts. */
export interface Directory {
	/** By folded name. Roles are read here on every request, never from a token. */
	find(key: string): Account | null;
}

export interface Accounts extends Directory {
	/**
	 * The account that the name and password belong to, and the device cookie to set. `AppError`: 'malformed' (empty
	 * or too long), 'unauthorized' (wrong, whichever of the two), 'throttled', 'busy'. An unknown name takes the same
	 * work and the same limits as a known one.
	 */
	authorize(
		credentials: { username: unknown; password: unknown },
		from: Origin
	): Promise<{ account: Account; device: string }>;
}

/** `password` is clear text or a hash in PHC form. */
type Configured = { name: string; password: string; role: Role };

type Deps = {
	directory: Directory;
	accounts: Configured[];
	secret: string;
	throttle: Throttle;
	/** True when the account recently had a valid session from this address prefix. */
	knows: (account: string, prefix: string) => boolean;
	record: (
		by: Actor,
		action: AuditAction,
		facts: { subject?: string | null; result: 'done' | 'refused'; detail?: string }
	) => Promise<void>;
	verify?: (password: string, phc: Phc) => Promise<boolean>;
};

const DEVICE_BYTES = 16;
const DEVICE_SHAPE = /^([\w-]{22})\.([\w-]{43})$/;
/** Guessing a mark must cost something too: about 10 ms, but no memory, which the process would never give back. */
const MARK_ROUNDS = 50_000;

export async function createDirectory(
	configured: Configured[],
	secret: string
): Promise<Directory> {
	const accounts = await Promise.all(
		configured.map(async ({ name, password, role }): Promise<Account> => {
			const key = foldName(name);
			return { key, name, role, mark: await markOf(secret, key, password) };
		})
	);
	const byKey = new Map(accounts.map((account) => [account.key, account]));
	return { find: (key) => byKey.get(key) ?? null };
}

export function createAccounts(deps: Deps): Accounts {
	const { directory, secret, throttle, knows, record, verify = verifyPassword } = deps;
	const queue = createHashQueue();
	const compare = comparer(deps.accounts, queue, verify);
	/** A name without an account is not recorded: it may be a password typed in the wrong field. */
	const refused = (account: Account | null, address: string | null, detail: string) =>
		record(actor(null, address), 'session.start', {
			subject: account?.name ?? null,
			result: 'refused',
			detail
		});
	const device = deviceCookies(secret);

	return {
		find: directory.find,

		async authorize(credentials, from) {
			const { username, password } = parse(credentials);
			const key = foldName(username);
			const account = directory.find(key);
			const prefix = addressPrefix(from.address);
			const seenDevice = device.read(key, account?.mark ?? '', from.device);
			const stranger = !seenDevice && !(account && knows(key, prefix));
			const place = seenDevice ?? prefix;

			let attempt: Attempt;
			try {
				attempt = throttle.begin({ account: key, exists: account !== null, place, stranger });
			} catch (error) {
				if (error instanceof AppError && error.kind === 'throttled')
					await refused(account, from.address, 'too many tries');
				throw error;
			}
			const right = await settle(attempt, () =>
				compare(key, password, stranger ? 'stranger' : 'known')
			);
			if (!right || !account) {
				await refused(account, from.address, 'wrong name or password');
				throw new AppError('unauthorized', 'The user name or the password is wrong.');
			}
			await record(actor(account, from.address), 'session.start', {
				result: 'done',
				...(stranger && { detail: 'from a new place' })
			});
			return { account, device: device.issue(account) };
		}
	};
}

const actor = (account: Account | null, address: string | null): Actor => ({
	name: account?.name ?? 'anonymous',
	role: account?.role ?? null,
	address
});

function parse(credentials: { username: unknown; password: unknown }): Credentials {
	const result = Credentials.safeParse(credentials);
	if (result.success) return result.data;
	const issues = result.error.issues.map(({ path, message }) => ({
		path: path.join('.'),
		message
	}));
	throw new AppError('malformed', `${issues[0]?.message ?? 'Check the fields'}.`, { issues });
}

/** Records the attempt as failed, as succeeded, or not at all when nothing was decided. */
async function settle(attempt: Attempt, check: () => Promise<boolean>): Promise<boolean> {
	let right: boolean;
	try {
		right = await check();
	} catch (error) {
		attempt.abandoned();
		throw error;
	}
	if (right) attempt.succeeded();
	else attempt.failed();
	return right;
}

type Compare = (key: string, password: string, lane: 'known' | 'stranger') => Promise<boolean>;

/**
 * Compares with one hash of every recipe in use, for every name: with the account's own where it uses that recipe, with
 * a decoy otherwise. So the time says nothing about the name.
 */
function comparer(
	accounts: Deps['accounts'],
	queue: HashQueue,
	verify: NonNullable<Deps['verify']>
): Compare {
	let prepared: ReturnType<typeof prepare> | null = null;
	return async (key, password, lane) => {
		const { hashes, decoys } = await (prepared ??= prepare(accounts));
		const own = hashes.get(key);
		return queue(lane, async () => {
			let right = false;
			for (const [recipe, decoy] of decoys) {
				const mine = own && recipeOf(own) === recipe;
				const fits = await verify(password, mine ? own : decoy);
				right ||= fits && Boolean(mine);
			}
			return right;
		});
	};
}

/** Clear-text passwords are hashed once, when the first person signs in. */
async function prepare(accounts: Deps['accounts']) {
	const hashes = new Map<string, Phc>();
	for (const { name, password } of accounts)
		hashes.set(
			foldName(name),
			looksLikePhc(password) ? parsePhc(password) : await hashPassword(password)
		);
	const decoys = new Map([...hashes.values()].map((phc) => [recipeOf(phc), decoyOf(phc)]));
	return { hashes, decoys };
}

/** Keyed, and slow to guess: it is on the disk beside the sessions. */
async function markOf(secret: string, key: string, password: string): Promise<string> {
	const salt = createHmac('sha256', secret).update(`mark\n${key}`).digest();
	const mark = await promisify(pbkdf2)(password, salt, MARK_ROUNDS, 24, 'sha256');
	return mark.toString('base64url');
}

/**
 * A device that has signed in keeps a cookie that proves it, so that guessing from elsewhere does not lock it out. It
 * opens nothing by itself, and a changed password makes it worthless.
 */
function deviceCookies(secret: string) {
	const sign = (nonce: string, key: string, mark: string) =>
		createHmac('sha256', secret).update(`device\n${nonce}\n${mark}\n${key}`).digest();
	return {
		issue({ key, mark }: Account) {
			const nonce = randomBytes(DEVICE_BYTES).toString('base64url');
			return `${nonce}.${sign(nonce, key, mark).toString('base64url')}`;
		},
		/** The device's name, or null when the cookie is not ours or of another account. */
		read(key: string, mark: string, cookie: string | null): string | null {
			const [, nonce, signature] = DEVICE_SHAPE.exec(cookie ?? '') ?? [];
			if (!nonce || !signature) return null;
			const given = Buffer.from(signature, 'base64url');
			return timingSafeEqual(given, sign(nonce, key, mark)) ? `device ${nonce}` : null;
		}
	};
}

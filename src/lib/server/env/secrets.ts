import { randomBytes, randomInt } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { Role } from '#schemas/common';
import { openRegular, PRIVATE_FILE, writeAtomic } from '#core/files';

/** What is generated once and kept in the data directory, for its owner's eyes only. */

const SECRET_BYTES = 48;
const SECRET_MIN = 32;
const FILE_MAX_BYTES = 64 * 1024;
/** Without the characters that people mix up; four groups of four are 80 bits. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 4;

type Warn = (message: string) => void;

/** The file's text; null when there is none. What others could read is closed to them. */
async function readPrivate(file: string, warn: Warn): Promise<string | null> {
	const handle = await openRegular(file);
	if (!handle) return null;
	try {
		const { mode, size } = await handle.stat();
		if (mode & 0o077) {
			await handle.chmod(PRIVATE_FILE);
			warn(`${file} was open to other users; it is private now.`);
		}
		return size > FILE_MAX_BYTES ? '' : await handle.readFile('utf8');
	} finally {
		await handle.close();
	}
}

/** Signs the session tokens of this installation. */
export async function keptSecret(dataDir: string, warn: Warn): Promise<string> {
	const file = path.join(dataDir, 'auth-secret');
	const kept = (await readPrivate(file, warn))?.trim();
	if (kept && kept.length >= SECRET_MIN) return kept;
	if (kept !== undefined)
		warn(`${file} was damaged and has been replaced: everybody has to log in again.`);
	const secret = randomBytes(SECRET_BYTES).toString('base64url');
	await writeAtomic(file, `${secret}\n`);
	return secret;
}

const DemoAccounts = z.array(z.object({ name: z.string(), password: z.string(), role: Role }));
export type DemoAccount = z.infer<typeof DemoAccounts>[number];

/** The demo's own accounts, the same at every start. */
export async function keptDemoAccounts(
	dataDir: string,
	warn: Warn
): Promise<{ accounts: DemoAccount[]; fresh: boolean }> {
	const file = path.join(dataDir, 'demo-credentials.json');
	const text = await readPrivate(file, warn);
	const kept = text === null ? null : parse(text);
	if (kept) return { accounts: kept, fresh: false };
	if (text !== null) warn(`${file} was damaged and has been replaced.`);
	const made: DemoAccount[] = [
		{ name: 'superadmin', password: randomPassword(), role: 'superadmin' },
		{ name: 'admin', password: randomPassword(), role: 'admin' }
	];
	await writeAtomic(file, `${JSON.stringify(made, null, '\t')}\n`);
	return { accounts: made, fresh: true };
}

function parse(text: string): DemoAccount[] | null {
	try {
		const accounts = DemoAccounts.parse(JSON.parse(text));
		const roles = accounts.map(({ role }) => role).sort();
		return roles.join() === 'admin,superadmin' ? accounts : null;
	} catch {
		return null;
	}
}

const randomPassword = () =>
	Array.from({ length: GROUPS }, () =>
		Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
	).join('-');

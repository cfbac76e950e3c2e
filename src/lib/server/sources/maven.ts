import { AppError } from '#core/errors';
import { BadAnswer, type RemoteFile } from '#core/net';
import type { Outside } from './outside.ts';
import { JAR_MAX_BYTES, type Artifact } from './source.ts';

const VERSION = /<version>\s*([A-Za-z0-9][\w.+-]{0,59})\s*<\/version>/g;
const SUMS = [
	{ algorithm: 'sha256', length: 64 },
	{ algorithm: 'sha1', length: 40 }
] as const;

/** The versions in a `maven-metadata.xml`, in its order, which means nothing. */
export function versionsIn(xml: string): string[] {
	if (!/<metadata[\s>]/.test(xml)) throw new BadAnswer('it is not a list of versions');
	return [...xml.matchAll(VERSION)].map((match) => match[1]!);
}

/** An installer at this path, as Forge and NeoForge publish them. */
export const installerAt = async (
	outside: Outside,
	path: string,
	fileName: string
): Promise<Artifact> => ({
	kind: 'installer',
	fileName,
	url: await outside.address(path),
	size: null,
	maxBytes: JAR_MAX_BYTES,
	hash: await checksumBeside(outside, path),
	proof: { file: 'install_profile.json', texts: [] }
});

/** The checksum published beside a file; null when there is none. */
async function checksumBeside(outside: Outside, path: string): Promise<RemoteFile['hash']> {
	for (const { algorithm, length } of SUMS) {
		const hex = await orNull(outside.text(`${path}.${algorithm}`, (text) => hexIn(text, length)));
		if (hex) return { algorithm, hex };
	}
	return null;
}

/** Null when it does not exist (404). */
export const orNull = <T>(answer: Promise<T>): Promise<T | null> =>
	answer.catch((error: unknown) => {
		if (error instanceof AppError && error.kind === 'not-found') return null;
		throw error;
	});

function hexIn(text: string, length: number): string {
	const hex = text.trim().split(/\s/, 1)[0]!.toLowerCase();
	if (hex.length === length && /^[0-9a-f]+$/.test(hex)) return hex;
	throw new BadAnswer('it is not a checksum');
}

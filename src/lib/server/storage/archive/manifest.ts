import { createHash, type Hash } from 'node:crypto';
import { asText, toBytes } from './bytes.ts';
import type { ArchiveFacts, Totals } from './jobs.ts';
import type { Entry } from './tar.ts';

/** The last entry of an archive: one line about the whole, then one per entry in their order. */
export const MANIFEST = '.craftwarden-manifest.jsonl';

export type ManifestHead = ArchiveFacts & {
	craftwarden: 'backup';
	version: 1;
	totals: Totals;
	/** The hash of all lines after this one. */
	linesSha256: string;
	warnings: string[];
};

/** The same entry always gives the same line, so reading an archive back gives the same manifest. */
export function manifestLine(entry: Entry, sha256: string | null): string {
	const { type, mode, size, mtimeNs, target } = entry;
	const facts: Record<string, unknown> = { ...named('path', entry.path), type, mode };
	facts['mtimeNs'] = String(mtimeNs);
	if (type === 'file') Object.assign(facts, { size, sha256 });
	if (type === 'link') Object.assign(facts, named('target', target));
	return `${JSON.stringify(facts)}\n`;
}

function named(key: string, name: string) {
	const text = asText(name);
	return text === null ? { [`${key}Base64`]: toBytes(name).toString('base64') } : { [key]: text };
}

export const sha256 = (): Hash => createHash('sha256');

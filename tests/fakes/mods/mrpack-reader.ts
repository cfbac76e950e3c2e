import { crc32, inflateRawSync } from 'node:zlib';

/** What launchers read from a pack. */
export type PackIndex = {
	versionId: string;
	name: string;
	files: {
		path: string;
		hashes: { sha1: string; sha512: string };
		env?: { client: string; server: string };
		downloads: string[];
		fileSize: number;
	}[];
	dependencies: Record<string, string>;
};

const HOSTS = ['cdn.modrinth.com', 'github.com', 'raw.githubusercontent.com', 'gitlab.com'];
const KEYS = ['minecraft', 'forge', 'neoforge', 'neo-forge', 'fabric-loader', 'quilt-loader'];
const SUPPORT = ['required', 'optional', 'unsupported'];
const FOLDERS = ['overrides/', 'server-overrides/', 'client-overrides/'];

/**
 * Reads a pack as a strict launcher would, with rules written from the
 * format's description alone. Throws at the first thing that breaks the format.
 */
export function readPack(bytes: Uint8Array): {
	index: PackIndex;
	overrides: Record<string, Buffer>;
} {
	const entries = unzip(bytes);
	const names = entries.map(([name]) => name);
	must(new Set(names).size === names.length, 'no entry twice');
	const index = entries.find(([name]) => name === 'modrinth.index.json');
	must(index !== undefined, 'an index at the root');
	const others = entries.filter(([name]) => name !== 'modrinth.index.json');
	for (const [name] of others) {
		must(
			FOLDERS.some((folder) => name.startsWith(folder)),
			`a known folder: ${name}`
		);
		mustBeInside(name);
	}
	return {
		index: checkIndex(JSON.parse(index![1].toString('utf8'))),
		overrides: Object.fromEntries(others)
	};
}

/** The rules of the index alone. */
function checkIndex(index: unknown): PackIndex {
	const { formatVersion, game, versionId, name, summary, files, dependencies } = object(index);
	must(formatVersion === 1, 'format 1');
	must(game === 'minecraft', 'the game');
	must(isText(versionId) && isText(name), 'a version and a name');
	must(summary === undefined || typeof summary === 'string', 'a summary is text');
	must(Array.isArray(files), 'a list of files');
	const paths = (files as unknown[]).map((file) => checkFile(object(file)));
	must(new Set(paths.map((one) => one.toLowerCase())).size === paths.length, 'no path twice');
	const wanted = Object.entries(object(dependencies));
	must(
		wanted.every(([key, value]) => KEYS.includes(key) && isText(value)),
		'known dependencies'
	);
	must(
		wanted.some(([key]) => key === 'minecraft'),
		'the version of the game'
	);
	return index as PackIndex;
}

function checkFile({ path: at, hashes, env, downloads, fileSize }: Record<string, unknown>) {
	must(isText(at), 'a path');
	mustBeInside(at as string);
	const { sha1, sha512 } = object(hashes);
	must(/^[0-9a-f]{40}$/.test(String(sha1)), `SHA-1 of ${at}`);
	must(/^[0-9a-f]{128}$/.test(String(sha512)), `SHA-512 of ${at}`);
	must(Number.isInteger(fileSize) && (fileSize as number) > 0, `size of ${at}`);
	if (env !== undefined) {
		const { client, server } = object(env);
		must(SUPPORT.includes(String(client)) && SUPPORT.includes(String(server)), `sides of ${at}`);
	}
	must(Array.isArray(downloads) && downloads.length > 0, `addresses of ${at}`);
	for (const address of downloads as unknown[]) {
		const { protocol, hostname, port } = new URL(String(address));
		must(protocol === 'https:' && port === '' && HOSTS.includes(hostname), `host of ${address}`);
		must(!/[\s\\]/.test(String(address)), `an encoded address: ${address}`);
	}
	return at as string;
}

function mustBeInside(name: string) {
	// eslint-disable-next-line no-control-regex
	must(!/[\\\u0000-\u001f]|^\/|^[A-Za-z]:/.test(name), `a relative path: ${name}`);
	must(
		name.split('/').every((part) => part !== '' && part !== '.' && part !== '..'),
		name
	);
}

const isText = (value: unknown) => typeof value === 'string' && value !== '';

function object(value: unknown): Record<string, unknown> {
	must(typeof value === 'object' && value !== null && !Array.isArray(value), 'an object');
	return value as Record<string, unknown>;
}

function must(holds: boolean, rule: string) {
	if (!holds) throw new Error(`Not by the format: ${rule}`);
}

/** By the directory at the end, as zips are read; what stands before each file must say the same. */
function unzip(bytes: Uint8Array): [string, Buffer][] {
	const zip = Buffer.from(bytes);
	const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
	must(end >= 0 && end === zip.length - 22, 'an end without a comment');
	let at = zip.readUInt32LE(end + 16);
	return Array.from({ length: zip.readUInt16LE(end + 10) }, (): [string, Buffer] => {
		must(zip.toString('latin1', at, at + 4) === 'PK\x01\x02', 'a directory');
		const lengths = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
		const name = zip.toString('utf8', at + 46, at + 46 + lengths[0]!);
		const [crc, packed, size] = [16, 20, 24].map((offset) => zip.readUInt32LE(at + offset));
		const local = zip.readUInt32LE(at + 42);
		must(zip.toString('latin1', local, local + 4) === 'PK\x03\x04', `a file: ${name}`);
		const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
		must(zip.toString('utf8', local + 30, local + 30 + lengths[0]!) === name, `one name: ${name}`);
		must(zip.readUInt16LE(at + 10) === 8, `deflated: ${name}`);
		const data = inflateRawSync(zip.subarray(start, start + packed!));
		must(data.length === size && crc32(data) === crc, `whole: ${name}`);
		at += 46 + lengths[0]! + lengths[1]! + lengths[2]!;
		return [name, data];
	});
}

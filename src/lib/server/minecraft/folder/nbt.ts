import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** Unpacked; worlds with hundreds of mods reach a few MB. */
const LEVEL_MAX_BYTES = 16 << 20;
/** The game's own limit. */
const DEPTH_MAX = 512;

const END = 0;
const INT = 3;
const BYTE_ARRAY = 7;
const STRING = 8;
const LIST = 9;
const COMPOUND = 10;
const INT_ARRAY = 11;
const LONG_ARRAY = 12;
/** The size in bytes of the number tags, by their id. */
const NUMBER_BYTES: Record<number, number> = { 1: 1, 2: 2, 3: 4, 4: 8, 5: 4, 6: 8 };

const unzip = promisify(gunzip);

/** What a level.dat says of the game that saved it last. */
export type LevelFacts = {
	/** `Data.Version.Name`; null before 1.9. */
	version: string | null;
	/** `Data.DataVersion`: grows with every version of the game, snapshots too; 0 before 1.9, which had none. */
	dataVersion: number;
};

/** Null when it is no level.dat: torn, damaged or hostile. */
export async function levelFacts(levelDat: Buffer): Promise<LevelFacts | null> {
	try {
		const packed = levelDat[0] === 0x1f && levelDat[1] === 0x8b;
		const nbt = packed ? await unzip(levelDat, { maxOutputLength: LEVEL_MAX_BYTES }) : levelDat;
		const dataVersion = valueAt(nbt, ['Data', 'DataVersion']);
		const version = valueAt(nbt, ['Data', 'Version', 'Name']);
		// Every world has a name, also one of a time without versions.
		const known = typeof dataVersion === 'number' || valueAt(nbt, ['Data', 'LevelName']) !== null;
		if (!known && version === null) return null;
		return {
			version: typeof version === 'string' ? version : null,
			dataVersion: typeof dataVersion === 'number' ? dataVersion : 0
		};
	} catch {
		// Every failure ends here: then it says nothing.
		return null;
	}
}

/** The game version that a world was last saved with; null when unknown. */
export const levelVersion = async (levelDat: Buffer) =>
	(await levelFacts(levelDat))?.version ?? null;

/** Walks the tags without building them: only what lies on the path is looked into. Throws on invalid data. */
function valueAt(nbt: Buffer, wanted: string[]): string | number | null {
	let at = 0;
	const skip = (bytes: number) => {
		if (bytes < 0 || at + bytes > nbt.length) throw new Error('NBT ends too early');
		at += bytes;
		return at - bytes;
	};
	const count = (unit: number) => skip(nbt.readInt32BE(skip(4)) * unit);
	const text = () => {
		const length = nbt.readUInt16BE(skip(2));
		return nbt.toString('utf8', skip(length), at);
	};

	const skipList = (depth: number) => {
		const type = nbt.readUInt8(skip(1));
		const length = nbt.readInt32BE(skip(4));
		const bytes = NUMBER_BYTES[type];
		if (bytes) skip(Math.max(0, length) * bytes);
		// Elements of zero bytes would turn five bytes into a loop of two thousand million steps.
		else if (type !== END) for (let i = 0; i < length; i++) value(type, depth + 1, null);
	};
	const value = (type: number, depth: number, path: string[] | null): string | number | null => {
		if (depth > DEPTH_MAX) throw new Error('NBT is too deep');
		const bytes = NUMBER_BYTES[type];
		if (type === INT && path?.length === 0) return nbt.readInt32BE(skip(4));
		else if (bytes) skip(bytes);
		else if (type === BYTE_ARRAY) count(1);
		else if (type === INT_ARRAY) count(4);
		else if (type === LONG_ARRAY) count(8);
		else if (type === STRING && path?.length === 0) return text();
		else if (type === STRING) skip(nbt.readUInt16BE(skip(2)));
		else if (type === LIST) skipList(depth);
		else if (type === COMPOUND) return compound(depth, path);
		else throw new Error('NBT has an unknown tag');
		return null;
	};
	const compound = (depth: number, path: string[] | null): string | number | null => {
		for (;;) {
			const type = nbt.readUInt8(skip(1));
			if (type === END) return null;
			const name = text();
			const found = value(type, depth + 1, path?.[0] === name ? path.slice(1) : null);
			if (found !== null) return found;
		}
	};

	if (nbt.readUInt8(skip(1)) !== COMPOUND) return null;
	text();
	return compound(0, wanted);
}

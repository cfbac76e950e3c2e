import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** A jar that holds a manifest and these files; without a main class a mod's. */
export function jar(
	main: string | null,
	files: Record<string, string> = {},
	classPath: string[] = []
) {
	const lines = ['Manifest-Version: 1.0'];
	if (main) lines.push(`Main-Class: ${main}`);
	if (classPath.length) lines.push(`Class-Path: ${classPath.join(' ')}`);
	// As Java writes it: at most 72 bytes a line, the rest on lines that begin with a space.
	const folded = lines.map((line) => line.replace(/(.{70})(?=.)/g, '$1\r\n '));
	return zip({ 'META-INF/MANIFEST.MF': `${folded.join('\r\n')}\r\n\r\n`, ...files });
}

const DEFLATED = 8;

/** A zip; like real ones it holds small files as they are and deflates the others. */
export function zip(files: Record<string, string | Uint8Array>): Buffer {
	const parts: Buffer[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	for (const [name, content] of Object.entries(files)) {
		const [path, data] = [Buffer.from(name), Buffer.from(content)];
		const packed = data.length > 40 ? deflateRawSync(data) : data;
		const shared = Buffer.alloc(26);
		shared.writeUInt16LE(20, 0);
		shared.writeUInt16LE(packed === data ? 0 : DEFLATED, 4);
		shared.writeUInt32LE(crc32(data), 10);
		shared.writeUInt32LE(packed.length, 14);
		shared.writeUInt32LE(data.length, 18);
		shared.writeUInt16LE(path.length, 22);
		const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, path, packed]);
		const position = Buffer.alloc(14);
		position.writeUInt32LE(offset, 10);
		directory.push(
			Buffer.from('PK\x01\x02'),
			Buffer.from([20, 0]),
			shared,
			position.subarray(0, 14),
			path
		);
		parts.push(local);
		offset += local.length;
	}
	const listed = Buffer.concat(directory);
	const end = Buffer.alloc(22);
	end.write('PK\x05\x06', 'latin1');
	end.writeUInt16LE(parts.length, 8);
	end.writeUInt16LE(parts.length, 10);
	end.writeUInt32LE(listed.length, 12);
	end.writeUInt32LE(offset, 16);
	return Buffer.concat([...parts, listed, end]);
}

/** A level.dat that was last saved by that version, with the things around it that real ones have. */
export function levelDat(version: string, dataVersion?: number): Buffer {
	const text = (value: string) => {
		const bytes = Buffer.from(value);
		return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
	};
	const tag = (type: number, name: string, ...payload: Buffer[]) =>
		Buffer.concat([Buffer.from([type]), text(name), ...payload]);
	const end = Buffer.from([0]);
	const list = Buffer.from([10, 0, 0, 0, 1, 8, ...text('mod'), ...text('x'), 0]);
	const ints = Buffer.from([0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2]);
	const int = (value: number) => {
		const bytes = Buffer.alloc(4);
		bytes.writeInt32BE(value);
		return bytes;
	};
	const inner = tag(3, 'Id', Buffer.alloc(4));
	return gzipSync(
		Buffer.concat([
			tag(10, ''),
			tag(10, 'Data'),
			tag(4, 'LastPlayed', Buffer.alloc(8)),
			tag(9, 'ServerBrands', list),
			tag(11, 'Spawn', ints),
			tag(10, 'GameRules', tag(8, 'Name', text('not this one')), end),
			tag(10, 'Version', inner, tag(8, 'Name', text(version)), tag(1, 'Snapshot', end), end),
			tag(8, 'LevelName', text('world')),
			...(dataVersion === undefined ? [] : [tag(3, 'DataVersion', int(dataVersion))]),
			end,
			end
		])
	);
}

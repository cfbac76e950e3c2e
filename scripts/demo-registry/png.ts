import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const CELLS = 8;
const CELL_PX = 12;

/** A small square picture that is the same for the same name: mirrored blocks in two colours. */
export function drawIcon(name: string): Buffer {
	const digest = createHash('sha256').update(name).digest();
	const byte = (at: number) => digest[at % digest.length] ?? 0;
	const dark = [40 + (byte(0) % 60), 40 + (byte(1) % 60), 50 + (byte(2) % 60)];
	const light = [140 + (byte(3) % 110), 140 + (byte(4) % 110), 120 + (byte(5) % 120)];
	const size = CELLS * CELL_PX;
	const rows: Buffer[] = [];
	for (let y = 0; y < size; y++) {
		const row = Buffer.alloc(1 + size * 3);
		for (let x = 0; x < size; x++) {
			const [cellX, cellY] = [Math.floor(x / CELL_PX), Math.floor(y / CELL_PX)];
			const mirrored = Math.min(cellX, CELLS - 1 - cellX);
			const lit = (byte(6 + cellY) >> mirrored) & 1;
			row.set(lit ? light : dark, 1 + x * 3);
		}
		rows.push(row);
	}
	const head = Buffer.alloc(13);
	head.writeUInt32BE(size, 0);
	head.writeUInt32BE(size, 4);
	head.set([8, 2, 0, 0, 0], 8); // 8 bits, RGB
	return Buffer.concat([
		Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
		chunk('IHDR', head),
		chunk('IDAT', deflateSync(Buffer.concat(rows))),
		chunk('IEND', Buffer.alloc(0))
	]);
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(data.length);
	const sum = Buffer.alloc(4);
	sum.writeUInt32BE(crc32(body));
	return Buffer.concat([length, body, sum]);
}

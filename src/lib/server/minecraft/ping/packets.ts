/** One packet of the game's protocol before login: VarInt length, VarInt id, data. */
export type Packet = { id: number; data: Buffer };

/** A status has an icon of some 20 kB and, on Forge, a list of mods. */
const PACKET_MAX_BYTES = 1 << 20;
const VARINT_MAX_BYTES = 5;
const HOST_MAX_CHARS = 255;
/** Any version is answered; -1 says that we have none. */
const PROTOCOL = -1;
const NEXT_IS_STATUS = 1;

/** Handshake and status request. */
export function statusRequest(host: string, port: number): Buffer {
	const name = Buffer.from(host.slice(0, HOST_MAX_CHARS));
	const portBytes = Buffer.of(port >> 8, port & 0xff);
	const handshake = [
		varInt(PROTOCOL),
		varInt(name.length),
		name,
		portBytes,
		varInt(NEXT_IS_STATUS)
	];
	return Buffer.concat([packet(0, Buffer.concat(handshake)), packet(0, Buffer.alloc(0))]);
}

export function packet(id: number, data: Uint8Array): Buffer {
	const body = Buffer.concat([varInt(id), data]);
	return Buffer.concat([varInt(body.length), body]);
}

/** A string with its length in front; null when it is incomplete. */
export function stringOf(data: Buffer): string | null {
	const head = readVarInt(data);
	if (typeof head === 'string' || head.value < 0 || head.value > data.length - head.size)
		return null;
	return data.toString('utf8', head.size, head.size + head.value);
}

/** Cuts bytes into packets. Never throws; `broken` once a length is invalid. */
export function createPacketReader() {
	let chunks: Buffer[] = [];
	let size = 0;
	/** Bytes to wait for before looking again, so that a trickle of single bytes costs no copying. */
	let need = 1;
	let broken = false;

	return {
		push(chunk: Buffer): Packet[] {
			const packets: Packet[] = [];
			if (broken) return packets;
			chunks.push(chunk);
			size += chunk.length;
			if (size < need) return packets;
			let rest = Buffer.concat(chunks, size);
			for (;;) {
				const head = readVarInt(rest);
				if (head === 'short') need = rest.length + 1;
				else if (head === 'bad' || head.value < 1 || head.value > PACKET_MAX_BYTES) broken = true;
				else need = head.size + head.value;
				if (broken || rest.length < need) break;
				const item = parse(rest.subarray(need - (head as VarInt).value, need));
				if (item) packets.push(item);
				else broken = true;
				rest = rest.subarray(need);
			}
			chunks = broken ? [] : [rest];
			size = broken ? 0 : rest.length;
			return packets;
		},
		get broken() {
			return broken;
		}
	};
}

function parse(body: Buffer): Packet | null {
	const id = readVarInt(body);
	return typeof id === 'string' ? null : { id: id.value, data: body.subarray(id.size) };
}

function varInt(value: number): Buffer {
	const bytes: number[] = [];
	let rest = value >>> 0;
	for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
	return Buffer.of(...bytes, rest);
}

type VarInt = { value: number; size: number };

function readVarInt(bytes: Buffer): VarInt | 'short' | 'bad' {
	let value = 0;
	for (let at = 0; at < VARINT_MAX_BYTES; at++) {
		const byte = bytes[at];
		if (byte === undefined) return 'short';
		value |= (byte & 0x7f) << (7 * at);
		if (byte < 0x80) return { value, size: at + 1 };
	}
	return 'bad';
}

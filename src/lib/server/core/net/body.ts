import type { IncomingMessage } from 'node:http';
import { pipeline, type Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { errno } from '../errors.ts';
import { BadAnswer } from './failures.ts';

const DECODERS: Record<string, () => Duplex> = {
	gzip: createGunzip,
	'x-gzip': createGunzip,
	deflate: createInflate,
	br: createBrotliDecompress
};
export const ENCODINGS = 'gzip, deflate, br';

/** The whole body, inflated. More than `maxBytes`, before or after inflating, is refused as soon as it is seen. */
export async function readBody(answer: IncomingMessage, maxBytes: number, touch: () => void) {
	try {
		if (Number(answer.headers['content-length'] ?? 0) > maxBytes)
			throw new BadAnswer('it is too large');
		const chunks: Buffer[] = [];
		let size = 0;
		for await (const chunk of decoded(answer) as AsyncIterable<Buffer>) {
			touch();
			size += chunk.length;
			if (size > maxBytes) throw new BadAnswer('it is too large');
			chunks.push(chunk);
		}
		return Buffer.concat(chunks);
	} catch (error) {
		throw isBrokenEncoding(error) ? new BadAnswer('its compression is broken', error) : error;
	} finally {
		answer.destroy();
	}
}

function decoded(answer: IncomingMessage) {
	const encoding = answer.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
	if (encoding === '' || encoding === 'identity') return answer;
	const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding]?.() : undefined;
	if (!decoder) throw new BadAnswer(`it is encoded as ${encoding.slice(0, 40)}`);
	// A failure on either side surfaces in the decoder.
	return pipeline(answer, decoder, () => {});
}

/** The error codes of zlib and of Brotli. */
const isBrokenEncoding = (error: unknown) =>
	/^Z_|^ERR_+[A-Z_]*(?:BROTLI|FORMAT|PADDING)/.test(errno(error) ?? '');

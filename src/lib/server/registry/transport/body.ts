import type { IncomingMessage } from 'node:http';
import { pipeline, type Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError, errno } from '#core/errors';

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
		if (Number(answer.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
		const chunks: Buffer[] = [];
		let size = 0;
		for await (const chunk of decoded(answer) as AsyncIterable<Buffer>) {
			touch();
			size += chunk.length;
			if (size > maxBytes) throw tooLarge();
			chunks.push(chunk);
		}
		return Buffer.concat(chunks);
	} catch (error) {
		throw isBrokenEncoding(error) ? nonsense('its compression is broken', error) : error;
	} finally {
		answer.destroy();
	}
}

function decoded(answer: IncomingMessage) {
	const encoding = answer.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
	if (encoding === '' || encoding === 'identity') return answer;
	const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding]?.() : undefined;
	if (!decoder) throw nonsense(`it is encoded as ${encoding.slice(0, 40)}`);
	// A failure on either side surfaces in the decoder.
	return pipeline(answer, decoder, () => {});
}

/** The error codes of zlib and of Brotli. */
const isBrokenEncoding = (error: unknown) =>
	/^Z_|^ERR_+[A-Z_]*(?:BROTLI|FORMAT|PADDING)/.test(errno(error) ?? '');

const tooLarge = () => nonsense('it is too large');

/** The other side answers, but not with what we asked for: trying again would not help. */
export const nonsense = (why: string, cause?: unknown) =>
	new AppError(
		'upstream',
		`The registry's answer cannot be used: ${why}. Check MODRINTH_URL, or try again later.`,
		{ cause, code: 'nonsense' }
	);

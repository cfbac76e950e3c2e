import { gzipSync } from 'node:zlib';

/** Below this, the answer fits in one packet anyway. */
const WORTH_BYTES = 1024;
/** Measured on our pages and answers: the next level costs nearly twice the time for 4 %. */
const LEVEL = 3;
const TEXT = /^(?:text\/html|application\/(?:problem\+)?json)\b/;

/** Gzips HTML and JSON that are whole in memory; everything else (streams, files, small answers) stays as it is. */
export function compress(response: Response, request: Request): Response | Promise<Response> {
	return isWorth(response) && acceptsGzip(request) ? zip(response) : response;
}

function isWorth({ headers, body }: Response) {
	const length = headers.get('content-length');
	if (!body || (length !== null && Number(length) < WORTH_BYTES)) return false;
	const type = headers.get('content-type') ?? '';
	// A page without a length is one that is still being streamed.
	if (!TEXT.test(type) || (length === null && type.startsWith('text/html'))) return false;
	return (
		!headers.has('content-encoding') && !/no-transform/.test(headers.get('cache-control') ?? '')
	);
}

async function zip(response: Response) {
	const plain = await response.bytes();
	if (plain.byteLength < WORTH_BYTES) return again(response, plain);
	const zipped = again(response, gzipSync(plain, { level: LEVEL }));
	zipped.headers.set('content-encoding', 'gzip');
	zipped.headers.append('vary', 'Accept-Encoding');
	return zipped;
}

const acceptsGzip = (request: Request) =>
	request.method !== 'HEAD' &&
	/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(request.headers.get('accept-encoding') ?? '');

function again(response: Response, body: Uint8Array<ArrayBuffer>) {
	const { status, statusText } = response;
	const fresh = new Response(body, { status, statusText, headers: response.headers });
	fresh.headers.set('content-length', String(body.byteLength));
	return fresh;
}

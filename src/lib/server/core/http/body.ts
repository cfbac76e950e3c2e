import { AppError } from '#core/errors';

/** Bodies of commands and forms are small; uploads have a route and a limit of their own. */
export const BODY_MAX_BYTES = 64 * 1024;

/** The body's bytes; `too-large` as soon as the limit is passed, whatever Content-Length claimed. */
export async function readBody(request: Request, maxBytes = BODY_MAX_BYTES): Promise<Uint8Array> {
	const tooLarge = () => new AppError('too-large', `The request is larger than ${maxBytes} bytes.`);
	if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
	const chunks: Uint8Array[] = [];
	const reader = request.body?.getReader();
	let size = 0;
	// Not cancelled when it is too much: that would cut the connection before the answer is out.
	for (;;) {
		const { done, value } = (await reader?.read().catch(unreadable)) ?? { done: true };
		if (done || !value) break;
		size += value.byteLength;
		if (size > maxBytes) throw tooLarge();
		chunks.push(value);
	}
	return Buffer.concat(chunks);
}

const unreadable = (cause: unknown): never => {
	throw new AppError('malformed', 'The request body could not be read.', { cause });
};

/** The parsed JSON body; an empty body is an empty object. */
export async function readJson(request: Request): Promise<unknown> {
	const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
	const body = await readBody(request);
	if (type === undefined && body.byteLength === 0) return {};
	if (type !== 'application/json')
		throw new AppError('unsupported-media', 'Send the body as application/json.');
	try {
		return JSON.parse(new TextDecoder().decode(body));
	} catch (cause) {
		throw new AppError('malformed', 'The body is not valid JSON.', { cause });
	}
}

/** The form's text fields, a repeated one as an array. */
export async function readForm(request: Request): Promise<Record<string, string | string[]>> {
	const type = request.headers.get('content-type') ?? '';
	if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type))
		throw new AppError('unsupported-media', 'Send this as a form.');
	const body = await readBody(request);
	const form = await new Response(Buffer.from(body), { headers: { 'content-type': type } })
		.formData()
		.catch((cause) => {
			throw new AppError('malformed', 'The form could not be read.', { cause });
		});
	const fields = new Map<string, string | string[]>();
	for (const [name, value] of form) {
		if (typeof value !== 'string')
			throw new AppError('unsupported-media', 'This form takes no files.');
		const before = fields.get(name);
		fields.set(name, before === undefined ? value : [before, value].flat());
	}
	return Object.fromEntries(fields);
}

import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { BusboyInstance } from '@fastify/busboy';
import { AppError } from '#core/errors';

/** A file being uploaded: nothing of it stays in memory. `bytes` fails with `AppError('too-large')` at the limit. */
export type IncomingFile = {
	name: string;
	bytes: AsyncIterable<Uint8Array>;
	/** The form's other fields: known when the file has been read. */
	fields: () => Promise<Record<string, string>>;
};

export const isMultipart = (request: Request) =>
	/^multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '');

/** The one file of a multipart form, as it arrives. */
export async function incomingFile(
	request: Request,
	field: string,
	maxBytes: number
): Promise<IncomingFile> {
	const type = request.headers.get('content-type') ?? '';
	if (!isMultipart(request) || !request.body)
		throw new AppError('unsupported-media', 'Send the file as a form (multipart/form-data).');
	const { promise, resolve, reject } = Promise.withResolvers<IncomingFile>();
	const ended = Promise.withResolvers<void>();
	ended.promise.catch(() => {}); // few ask for the fields
	const fields = new Map<string, string>();
	const unreadable = (cause: unknown) => {
		const error = new AppError('malformed', 'The form could not be read.', { cause });
		reject(error);
		ended.reject(error);
	};
	const { Busboy } = await import('@fastify/busboy'); // few requests bring a file
	let form: BusboyInstance;
	try {
		form = new Busboy({
			headers: { 'content-type': type },
			limits: { files: 1, fields: 10, fieldSize: 1024, fileSize: maxBytes, headerPairs: 20 }
		});
	} catch (cause) {
		throw new AppError('malformed', 'The form could not be read.', { cause });
	}
	const body = Readable.fromWeb(request.body as ReadableStream);
	form.on('file', (name, stream, fileName) => {
		if (name !== field || !fileName) return void stream.resume();
		// A body that breaks off must also end whoever reads the file.
		body.on('error', (cause) => stream.destroy(cause));
		form.on('error', (cause: Error) => stream.destroy(cause));
		resolve({
			name: fileName,
			bytes: limited(stream, maxBytes),
			fields: () => ended.promise.then(() => Object.fromEntries(fields))
		});
	});
	form.on('field', (name, value) => void fields.set(name, value));
	form.on('error', unreadable);
	form.on('finish', () => {
		ended.resolve();
		reject(
			new AppError('invalid', 'Choose a file first.', {
				issues: [{ path: field, message: 'Choose a file' }]
			})
		);
	});
	body.on('error', unreadable);
	body.pipe(form);
	return promise;
}

async function* limited(
	stream: Readable & { truncated?: boolean },
	maxBytes: number
): AsyncGenerator<Uint8Array> {
	for await (const chunk of stream) yield chunk as Uint8Array;
	if (stream.truncated)
		throw new AppError('too-large', `The file is larger than ${maxBytes} bytes.`);
}

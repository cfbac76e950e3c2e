import { disposition } from '#core/net';
import type { MaskedText } from '#minecraft/logs';

/** A file on its way to a person: always plain text, also of a packed one. */
export type Download = {
	name: string;
	/** The value of a Content-Disposition header. */
	disposition: string;
	/** Read as fast as it is taken, and no faster. Closes the file at the end, and when it is cancelled. */
	stream: ReadableStream<Uint8Array>;
};

export function downloadOf(file: string, { pieces, close }: MaskedText): Download {
	const name = file.replace(/\.gz$/, '');
	const stream = new ReadableStream<Uint8Array>({
		async pull(controller) {
			try {
				const { value, done } = await pieces.next();
				if (!done) return controller.enqueue(value);
				await close();
				controller.close();
			} catch (error) {
				await close();
				throw error;
			}
		},
		async cancel() {
			await pieces.return(undefined);
			await close();
		}
	});
	return { name, disposition: disposition(name), stream };
}

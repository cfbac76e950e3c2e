import { disposition } from '#core/net';
import type { MaskedText } from '#minecraft/logs';

/** A file being downloaded: always plain text, even if the file is compressed. */
export type Download = {
	name: string;
	/** The value of a Content-Disposition header. */
	disposition: string;
	/** Read only as fast as it is consumed. Closes the file at the end, and when cancelled. */
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

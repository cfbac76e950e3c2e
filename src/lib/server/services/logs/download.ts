import type { MaskedText } from '../../minecraft/log-reader.ts';

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

/** RFC 6266: a name for old programs, and the real one in the form of RFC 5987. */
export function disposition(name: string): string {
	const simple = name.replace(/[^\w .()+-]/g, '_');
	const real = encodeURIComponent(name.toWellFormed()).replace(
		/['()*!]/g,
		(char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
	);
	return `attachment; filename="${simple}"; filename*=UTF-8''${real}`;
}

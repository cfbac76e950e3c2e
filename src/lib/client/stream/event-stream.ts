export type StreamEvent = { event: string; data: string };

/** Longest line that is kept; one without an end would grow for ever. */
const LINE_MAX_CHARS = 1_000_000;

/**
 * Reads server-sent events from a response's body (a POST has no EventSource), by the rules of the HTML standard.
 * Resolves at the end of the stream, rejects when it breaks or the answer was no stream.
 */
export async function readEventStream(
	response: Response,
	onEvent: (event: StreamEvent) => void
): Promise<void> {
	const type = response.headers.get('content-type') ?? '';
	if (!response.ok || !response.body || !/^text\/event-stream\b/i.test(type))
		throw new Error(`The answer was ${response.status}, not a stream.`);
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
	const take = lines(eventsOf(onEvent));
	try {
		for (;;) {
			const { value, done } = await reader.read();
			if (done) return;
			take(value);
		}
	} finally {
		// Also when a listener throws: nobody reads on.
		await reader.cancel().catch(() => {});
	}
}

/** Cuts text into lines at LF, CR and CRLF, wherever the pieces were cut. An unfinished last line is dropped. */
function lines(onLine: (line: string) => void) {
	let rest = '';
	let endedWithCr = false;
	return (piece: string) => {
		const text = endedWithCr && piece.startsWith('\n') ? piece.slice(1) : piece;
		if (piece === '') return;
		endedWithCr = piece.endsWith('\r');
		const parts = (rest + text).split(/\r\n|\r|\n/);
		rest = parts.pop() ?? '';
		if (rest.length > LINE_MAX_CHARS) throw new Error('The stream sent a line without an end.');
		parts.forEach(onLine);
	};
}

function eventsOf(onEvent: (event: StreamEvent) => void) {
	let event = '';
	let data: string[] = [];
	return (line: string) => {
		if (line === '') {
			if (data.length) onEvent({ event: event || 'message', data: data.join('\n') });
			event = '';
			data = [];
			return;
		}
		const colon = line.indexOf(':');
		const field = colon < 0 ? line : line.slice(0, colon);
		const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
		if (field === 'event') event = value;
		else if (field === 'data') data.push(value);
	};
}

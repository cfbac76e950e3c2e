export type ReadEvent = { event: string; data: unknown };

/** Reads a stream as a browser does; `events` grows as they come. */
export function readSse(response: Response) {
	const reader = response.body!.getReader();
	const decoder = new TextDecoder();
	const events: ReadEvent[] = [];
	const state = { retry: null as number | null, ended: false, failed: false, text: '' };
	let rest = '';

	const take = (block: string) => {
		let event = 'message';
		let data: string | null = null;
		for (const line of block.split(/\r\n|\r|\n/)) {
			if (line.startsWith('retry: ')) state.retry = Number(line.slice(7));
			if (line.startsWith('event: ')) event = line.slice(7);
			if (line.startsWith('data: ')) data = (data === null ? '' : `${data}\n`) + line.slice(6);
		}
		if (data !== null) events.push({ event, data: JSON.parse(data) });
	};
	const done = (async () => {
		try {
			for (;;) {
				const { value, done } = await reader.read();
				if (done) break;
				const text = decoder.decode(value, { stream: true });
				state.text += text;
				const blocks = (rest + text).split('\n\n');
				rest = blocks.pop() ?? '';
				blocks.forEach(take);
			}
			state.ended = true;
		} catch {
			state.failed = true;
		}
	})();
	return {
		events,
		state,
		done,
		/** The payloads of one kind. */
		of: (event: string) => events.filter((one) => one.event === event).map(({ data }) => data),
		leave: () => reader.cancel()
	};
}

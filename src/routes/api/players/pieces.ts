import { json } from '#core/http';

/** JSON of so many players is made in a millisecond or two. */
const PIECE = 500;

/**
 * `{ "players": [...], ...rest }`. A long list goes out in pieces, as it is made: several MB at once, and gzipping
 * them, would hold everybody else up.
 */
export function inPieces(players: readonly object[], rest: object = {}): Response {
	if (players.length <= PIECE) return json({ players, ...rest });
	const text = pieces(players, JSON.stringify(rest).slice(1, -1));
	const body = new ReadableStream<string>({
		pull(controller) {
			const { done, value } = text.next();
			if (done) controller.close();
			else controller.enqueue(value);
		}
	}).pipeThrough(new TextEncoderStream());
	const headers = { 'content-type': 'application/json', 'cache-control': 'no-store, no-transform' };
	return new Response(body, { headers });
}

function* pieces(players: readonly object[], rest: string): Generator<string, void> {
	yield '{"players":[';
	for (let i = 0; i < players.length; i += PIECE)
		yield (i ? ',' : '') + JSON.stringify(players.slice(i, i + PIECE)).slice(1, -1);
	yield rest === '' ? ']}' : `],${rest}}`;
}

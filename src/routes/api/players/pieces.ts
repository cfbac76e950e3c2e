import { json, jsonPieces } from '#core/http';

/** JSON of so many players is made in a millisecond or two. */
const PIECE = 500;

/**
 * `{ "players": [...], ...rest }`. A long list is sent in pieces as it is made: several MB at once, and gzipping
 * them, would delay all other requests.
 */
export function inPieces<P extends object, R extends object>(players: P[], rest: R) {
	type Whole = { players: P[] } & R;
	if (players.length <= PIECE) return json<Whole>({ players, ...rest });
	const text = pieces(players, JSON.stringify(rest).slice(1, -1));
	const body = new ReadableStream<string>({
		pull(controller) {
			const { done, value } = text.next();
			if (done) controller.close();
			else controller.enqueue(value);
		}
	}).pipeThrough(new TextEncoderStream());
	return jsonPieces<Whole>(body);
}

function* pieces(players: readonly object[], rest: string): Generator<string, void> {
	yield '{"players":[';
	for (let i = 0; i < players.length; i += PIECE)
		yield (i ? ',' : '') + JSON.stringify(players.slice(i, i + PIECE)).slice(1, -1);
	yield rest === '' ? ']}' : `],${rest}}`;
}

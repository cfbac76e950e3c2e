import { json, jsonPieces } from '#core/http';

/** JSON of so many players is made in less than a millisecond. */
const PIECE = 200;

/** The text of the long lists that were asked for: the same array is the same list, and its text is made once. */
const texts = new WeakMap<object[], Buffer[]>();

/**
 * `{ "players": [...], ...rest }`. A long list is sent in pieces as it is made: several MB at once, and gzipping
 * them, would delay all other requests. The list must not be changed afterwards.
 */
export function inPieces<P extends object, R extends object>(players: P[], rest: R) {
	type Whole = { players: P[] } & R;
	if (players.length <= PIECE) return json<Whole>({ players, ...rest });
	const text = pieces(players, JSON.stringify(rest).slice(1, -1));
	const body = new ReadableStream<Uint8Array>({
		pull(controller) {
			const { done, value } = text.next();
			if (done) controller.close();
			else controller.enqueue(value);
		}
	});
	return jsonPieces<Whole>(body);
}

function* pieces(players: object[], rest: string): Generator<Buffer, void> {
	const made = texts.get(players) ?? [];
	texts.set(players, made);
	yield Buffer.from('{"players":[');
	for (let i = 0; i * PIECE < players.length; i++) {
		const some = players.slice(i * PIECE, (i + 1) * PIECE);
		yield (made[i] ??= Buffer.from((i ? ',' : '') + JSON.stringify(some).slice(1, -1)));
	}
	yield Buffer.from(rest === '' ? ']}' : `],${rest}}`);
}

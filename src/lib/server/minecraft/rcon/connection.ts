import type { Clock } from '#core/clock';
import { COMMAND, LOGIN, NOT_LOGGED_IN, PAYLOAD_MAX_BYTES } from './frames.ts';
import { collectAnswer } from './answer.ts';
import { converse, openLink, RconFailure, type Limits, type Link } from './link.ts';

/** Every server answers it, and it changes nothing. */
export const HARMLESS = 'list';
const LOGIN_ID = 1;

/** A logged-in connection. One exchange at a time. */
export interface RconConnection {
	readonly open: boolean;
	/** Fails with RconFailure. `quietMs`: how long to wait for an answer before asking whether there will be one. */
	exchange(line: string, limits: Limits & { quietMs: number | null }): Promise<string>;
	hold(on: boolean): void;
	destroy(): void;
}

/** Connects and logs in, both together within `timeoutMs`. Fails with RconFailure. */
export async function connectRcon(
	address: { host: string; port: number; password: string },
	{ timeoutMs, signal }: Limits,
	clock: Clock
): Promise<RconConnection> {
	if (Buffer.byteLength(address.password) > PAYLOAD_MAX_BYTES) throw new RconFailure('auth');
	const start = clock.monotonicMs();
	const link = await openLink(address, { timeoutMs, signal });
	const leftMs = Math.max(1, timeoutMs - (clock.monotonicMs() - start));
	await login(link, address.password, { timeoutMs: leftMs, signal });
	let nextId = LOGIN_ID + 1;
	/** Known to answer even commands without output (all but Pumpkin do): then waiting is the only right thing. */
	let answersAll = false;

	return {
		get open() {
			return link.open;
		},
		exchange(line, { quietMs, ...limits }) {
			const id = nextId++;
			const answer = collectAnswer(id);
			const mark = () => {
				answer.expectMark(nextId);
				link.send(nextId++, COMMAND, HARMLESS);
			};
			// The answer of a slow command may still come, before the mark's. A server that has not even read the
			// command by now would hang up on two at once; then the outcome is reported as unknown, which is true.
			const quiet = quietMs !== null && !answersAll ? setTimeout(mark, quietMs) : undefined;
			return converse<string>(link, limits, ({ resolve, reject }) => {
				const ticket = link.send(id, COMMAND, line);
				return {
					frames(frames) {
						const next = answer.take(frames);
						if (next !== 'wait' || answer.complete) clearTimeout(quiet);
						answersAll ||= answer.blank;
						if (next === 'mark') mark();
						if (next === 'logged-out') reject(new RconFailure('logged-out'));
						if (next === 'done' || next === 'cut') resolve(answer.text());
						if (next === 'cut') link.destroy();
					},
					ended(reason, cause) {
						if (answer.complete) resolve(answer.text());
						else reject(new RconFailure(reason, { sent: !ticket.refused, cause }));
					}
				};
			}).finally(() => clearTimeout(quiet));
		},
		hold: link.hold,
		destroy: link.destroy
	};
}

function login(link: Link, password: string, limits: Limits) {
	let answered = false;
	return converse<void>(link, limits, ({ resolve, reject }) => {
		link.send(LOGIN_ID, LOGIN, password);
		return {
			frames(frames) {
				for (const { id, type } of frames) {
					if (id === NOT_LOGGED_IN) return reject(new RconFailure('auth'));
					if (id === LOGIN_ID && type === COMMAND) return resolve();
					answered = true; // Source servers send an empty packet of type 0 first
				}
			},
			ended(reason, cause) {
				if (reason === 'silent') reject(new RconFailure(answered ? 'auth' : 'silent'));
				else if (reason === 'lost') reject(new RconFailure('auth-unsure', { cause }));
				else reject(new RconFailure(reason, { cause }));
			}
		};
	});
}

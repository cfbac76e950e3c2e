import type { PlayerAction, PlayerDetail, PlayerResult, Players } from '#schemas/player';
import type { Actor, RecordAction } from '#core/actor';
import { AppError } from '#core/errors';
import { createSerial } from '#core/serial';
import { createTtlCache } from '#core/ttl-cache';
import type { PlayerCommand } from '#minecraft/commands';
import { byConsole, type ConsoleDeps, type Outcome } from './console.ts';
import { commandOf, isId } from './action.ts';
import { insistOnName, nameOrId } from './by-id.ts';
import { byFiles, type StoppedDeps } from './files.ts';
import { insistOnRoom } from './list-membership.ts';
import { detail, overview, type OverviewDeps } from './overview.ts';
import { notNow, labelsFor } from './labels.ts';
import { createBanNames, type WhoBanned } from './who-banned.ts';

export type { WhoBanned } from './who-banned.ts';
export { withArrivals } from './arrivals.ts';

export const CACHE_MS = 10_000;
/** Besides the one that is being made. */
const WAITING_MAX = 31;

/** Who is online, who may join, and who may not, by the server's own lists. */
export interface PlayersService {
	/** Cached 10 s, read once however many ask. */
	list(): Promise<Players>;
	/**
	 * Through the console of a running server, in the files of a stopped one; true only when the server's files show
	 * it. `changed` is false when it was so already. `AppError` `invalid` (no such name can be, nothing was sent; the
	 * player is not known), `conflict` (starting, stopping, an operation works on a stopped server, the list is full,
	 * a running server would need a name that is not known), `offline` (kick
	 * while stopped, RCON cannot be reached), `upstream` (refused, not understood, not shown by the files, or a file
	 * that cannot be written), `timeout` with code `outcome-unknown`, `busy`.
	 */
	act(action: PlayerAction, by: Actor): Promise<PlayerResult>;
	/** Whether somebody of this name, in whatever letters, is on a list or has been here. */
	knows(name: string): Promise<boolean>;
	/** `AppError('not-found')`. */
	find(uuid: string): Promise<PlayerDetail>;
	/** Somebody else has changed a list: the next answer is read anew. */
	invalidate(): void;
	close(): void;
}

type Deps = OverviewDeps &
	ConsoleDeps &
	StoppedDeps & {
		audit: RecordAction;
		whoBanned: WhoBanned;
		/** Who is on a list or online may have changed. */
		changed: () => void;
	};

export function createPlayers(deps: Deps): PlayersService {
	const { clock, audit } = deps;
	const banNames = createBanNames(deps.whoBanned, clock);
	const list = createTtlCache(() => overview({ ...deps, banNames }), CACHE_MS, clock);
	/** One after the other: what one reads back is not what another has just changed. */
	const changes = createSerial({
		waitingMax: WAITING_MAX,
		full: () => new AppError('busy', 'Too many changes to players wait. Try again in a moment.')
	});

	async function perform(command: PlayerCommand): Promise<Outcome> {
		const state = await deps.state();
		const refusal = notNow(state);
		if (refusal) throw refusal;
		await insistOnRoom(deps, command);
		if (state === 'stopped' || state === 'crashed') return byFiles(deps, command);
		if ('player' in command) insistOnName(command.player);
		return byConsole(deps, command);
	}

	/** Who is meant by an id, where a name is known for it. */
	async function resolved(command: PlayerCommand): Promise<PlayerCommand> {
		if (!('player' in command) || !isId(command.player)) return command;
		return { ...command, player: await nameOrId(deps, command.player) };
	}

	async function audited(command: PlayerCommand, reason: string | null, by: Actor) {
		const subject = 'player' in command ? command.player : null;
		const record = (facts: object) => audit(by, `player.${command.action}`, { subject, ...facts });
		try {
			const outcome = await perform(command);
			if (!outcome.changed) return outcome;
			deps.changed();
			await record({ detail: reason });
			return outcome;
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			const refused = error.kind === 'conflict' || error.kind === 'invalid';
			// It failed for the caller; what it did before that is unknown.
			if (!refused) deps.changed();
			await record({ result: refused ? 'refused' : 'failed', detail: error.message });
			throw error;
		} finally {
			list.forget();
		}
	}

	return {
		list,
		async act(action, by) {
			const command = await resolved(commandOf(action, deps.bedrockPrefix));
			const { changed, note } = await changes.run(() =>
				audited(command, action.reason || null, by)
			);
			const { done, same } = labelsFor(command);
			const message = [`${changed ? done : same}.`, note].filter(Boolean).join(' ');
			return { ok: true, changed, message };
		},
		async knows(name) {
			const { online, ops, whitelist, bans, known } = await list();
			const wanted = name.toLowerCase();
			return [online, ops, whitelist.players, bans, known].some((people) =>
				people.some((one) => one.name?.toLowerCase() === wanted)
			);
		},
		find: (uuid) => detail({ ...deps, banNames }, uuid),
		invalidate: list.forget,
		close: () => deps.lock.close()
	};
}

import type { Role } from '#schemas/common';
import { sentenceCase } from '#schemas/plain/words/sentence-case';
import { taskKind, type TaskRun } from '#schemas/task';
import { eventKind, triggerWords, type StoredTrigger } from '#schemas/trigger';
import type { Actor, RecordAction } from '#core/actor';
import type { Clock } from '#core/clock';
import type { Causes } from './causes.ts';

type Outcome = Pick<TaskRun, 'result' | 'exitCode' | 'detail'>;
type Order = { type: TaskRun['type']; options: Record<string, unknown> };

export type ActDeps = {
	/** Does it to its end and records it; never rejects. */
	run: (
		id: string,
		order: Order,
		wish: { by: Actor; began: (operation: { id: string }) => void }
	) => Promise<Outcome>;
	/** Records that it was skipped, as one of the recent runs. */
	left: (run: TaskRun) => Promise<void>;
	/** The role that an account has now; null when there is none of that name. */
	roleOf: (account: string) => Role | null;
	/** Whether the server is restarted after a crash anyway. */
	restartsAnyway: () => Promise<boolean>;
	/** Turns off one that runs in a loop. */
	turnOff: (id: string) => Promise<void>;
	causes: Causes;
	audit: RecordAction;
	clock: Clock;
};

const HOUR_MS = 3_600_000;
/** More often within an hour is a loop: for actions that take long or concern the server, and for any others. */
const LIMIT = { long: 3, other: 30 };

/** Whether it is the automatic restart in other words. */
export const isAutoRestart = ({ when, do: act }: Pick<StoredTrigger, 'when' | 'do'>) =>
	when.event === 'crashed' && act.type === 'start';

/** Why it may not act with its creator's current role; null when it may. */
export function refusal({ by, do: act }: StoredTrigger, role: Role | null): string | null {
	if (!role) return `its creator, ${by}, no longer has an account`;
	const least = taskKind(act.type).role;
	return least === 'superadmin' && role !== least
		? `its creator, ${by}, is no longer a superadmin`
		: null;
}

/** Lets triggers act: one at a time each, rate-limited, never as their own cause, with their creator's current rights. */
export function createActing(deps: ActDeps) {
	const { causes, clock, audit } = deps;
	const running = new Set<string>();
	const lastMs = new Map<string, number>();
	/** When it acted within the last hour. */
	const times = new Map<string, number[]>();

	async function leave(trigger: StoredTrigger, why: string) {
		const { id, by, do: act } = trigger;
		const at = clock.now().toISOString();
		const detail = `${triggerWords(trigger)}: ${why}`;
		const run = { id, type: act.type, exitCode: 0, durationMs: 0 };
		await deps.left({ ...run, at, result: 'skipped', detail: why });
		const actor = { name: by, role: deps.roleOf(by), address: null };
		await audit(actor, 'trigger.act', { subject: id, result: 'refused', detail });
	}

	/** Counts this action; false when that is too many. */
	function isWithinLimit({ id, when, do: act }: StoredTrigger): boolean {
		const { long } = taskKind(act.type);
		if (!long && eventKind(when.event).byPlayers) return true;
		const nowMs = clock.monotonicMs();
		const within = (times.get(id) ?? []).filter((at) => nowMs - at < HOUR_MS);
		times.set(id, [...within, nowMs]);
		return within.length < (long ? LIMIT.long : LIMIT.other);
	}

	async function act(trigger: StoredTrigger, chain: string[]) {
		const { id, by, do: task } = trigger;
		const role = deps.roleOf(by);
		const refused = refusal(trigger, role);
		if (refused) return leave(trigger, `${sentenceCase(refused)}.`);
		if (!isWithinLimit(trigger)) {
			await deps.turnOff(id);
			times.delete(id);
			return leave(trigger, 'It was turned off: it acted again and again within an hour.');
		}
		const next = [...chain, id];
		const { type, ...options } = task;
		const actor: Actor = { name: by, role, address: null };
		const began = (operation: { id: string }) => causes.began(operation.id, next);
		if (taskKind(type).role) causes.acted(next); // a command may do anything
		const outcome = await deps.run(id, { type, options }, { by: actor, began });
		const result = outcome.result === 'failed' ? 'failed' : 'done';
		const detail = `${triggerWords(trigger)}: ${outcome.detail}`;
		await audit(actor, 'trigger.act', { subject: id, result, detail });
	}

	return async (trigger: StoredTrigger, causing: string[]): Promise<void> => {
		const { id, minGapSeconds } = trigger;
		// People come and go as they like.
		const chain = eventKind(trigger.when.event).byPlayers ? [] : causing;
		if (chain.includes(id))
			return leave(trigger, 'It had caused this itself, and would run in a loop.');
		const nowMs = clock.monotonicMs();
		if (running.has(id) || nowMs - (lastMs.get(id) ?? -Infinity) < minGapSeconds * 1000) return;
		running.add(id);
		try {
			if (isAutoRestart(trigger) && (await deps.restartsAnyway())) return;
			lastMs.set(id, nowMs);
			await act(trigger, chain);
		} finally {
			running.delete(id);
		}
	};
}

import { z } from 'zod';
import type { StateFile } from '#storage/state-file';
import type { Clock } from '#core/clock';
import { createSerial } from '#core/serial';
import { isActive, type StoredChannel } from './channels.ts';
import type { Message } from './message.ts';
import {
	BudgetState,
	createBudget,
	createNoise,
	NoiseState,
	QUIET,
	type Budget,
	type Noise,
	type Note,
	type Report
} from './noise/index.ts';
import { messageOf, type Place } from './describe.ts';

/** `DATA_DIR/notifications/noise.json`: the memory of the noise rules, and of each channel's limit. */
export const DispatcherState = NoiseState.extend({
	budgets: z.record(z.string(), BudgetState).default({})
});
export type DispatcherState = z.infer<typeof DispatcherState>;
export const NOTHING_TOLD: DispatcherState = { ...QUIET, budgets: {} };

/** From an event to the queue: the noise rules, the words, and each channel's limit. */
export interface Dispatcher {
	/** On disk when it resolves. */
	tell(reports: Report[]): Promise<void>;
	/** When something was noted last, in milliseconds; 0 when nothing ever was. */
	notedAt(): Promise<number>;
	start(): void;
	close(): Promise<void>;
}

/** A recipient: a channel, or somebody's device. */
export type Recipient = Pick<StoredChannel, 'id' | 'kind' | 'events' | 'enabled' | 'gone'>;

type Deps = {
	file: StateFile<DispatcherState>;
	recipients: () => Promise<readonly Recipient[]>;
	place: () => Promise<Place>;
	add: (recipient: string, message: Message) => Promise<void>;
	clock: Clock;
	log: { error(message: string, facts?: { cause?: unknown }): void };
};

const LOOK_MS = 15_000;

export function createDispatcher(deps: Deps): Dispatcher {
	const { clock, log, file } = deps;
	const turns = createSerial();
	const closing = new AbortController();
	const budgets = new Map<string, Budget>();
	let noise: Noise | null = null;

	async function rules() {
		if (noise) return noise;
		const remembered = await file.read().catch((cause) => {
			log.error('What was told before cannot be read: some of it may be told again', { cause });
			return NOTHING_TOLD;
		});
		const { budgets: kept, ...state } = structuredClone(remembered);
		for (const [id, budget] of Object.entries(kept)) budgets.set(id, createBudget(budget));
		return (noise = createNoise(state));
	}
	function budgetOf(id: string) {
		const known = budgets.get(id) ?? createBudget();
		budgets.set(id, known);
		return known;
	}

	/** In the queue first: what is told twice after a kill has the same id, what was never written is lost. */
	async function pass(notes: Note[], now: number) {
		const all = await deps.recipients();
		for (const id of budgets.keys()) if (!all.some((one) => one.id === id)) budgets.delete(id);
		const place = notes.length ? await deps.place() : null;
		for (const { id, events } of all.filter(isActive)) {
			const budget = budgetOf(id);
			for (const message of budget.tick(now)) await deps.add(id, message);
			for (const note of notes) {
				if (![note.event, ...note.also].some((event) => events.includes(event))) continue;
				for (const message of budget.offer(messageOf(note, place!, now), now))
					await deps.add(id, message);
			}
		}
	}

	const step = (work: (rules: Noise, now: number) => Note[]) =>
		turns.run(async () => {
			const known = await rules();
			const now = clock.now().getTime();
			await pass(work(known, now), now);
			const limits = [...budgets].map(([id, budget]) => [id, budget.state()]);
			const state = { ...known.state(), budgets: Object.fromEntries(limits) };
			await file
				.update(() => state)
				.catch((cause) =>
					log.error('What was sent could not be recorded: a restart may send it again', { cause })
				);
		});

	async function run() {
		for (;;) {
			const due = (await rules()).nextAt();
			const dues = [due, ...[...budgets.values()].map((one) => one.nextAt())];
			const now = clock.now().getTime();
			if (dues.some((at) => at !== null && at <= now))
				await step((known, at) => known.tick(at)).catch((cause) =>
					log.error('Notifications could not be prepared', { cause })
				);
			await clock.sleep(nextLook(due, now), closing.signal);
		}
	}

	return {
		async tell(reports) {
			if (!reports.length) return;
			if (!(await deps.recipients()).some(isActive)) return;
			await step((known, now) => reports.flatMap((report) => known.report(report, now)));
		},
		notedAt: async () => (await rules()).state().at,
		start: () =>
			void run().catch((cause) => {
				if (!closing.signal.aborted) log.error('Notifications have ended', { cause });
			}),
		async close() {
			closing.abort();
			await turns.run(() => {});
		}
	};
}

/** Soon enough for what is due, and for what comes meanwhile. */
const nextLook = (due: number | null, now: number) =>
	Math.max(250, Math.min(LOOK_MS, due === null ? LOOK_MS : due - now));

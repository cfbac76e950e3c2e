import type { StateFile } from '#storage/state-file';
import type { Clock } from '#core/clock';
import { createSerial } from '#core/serial';
import { isActive, type StoredChannel } from './channels.ts';
import type { Message } from './message.ts';
import {
	createBudget,
	createNoise,
	type Budget,
	type Noise,
	type NoiseState,
	type Note,
	type Report
} from './noise/index.ts';
import { messageOf, type Place } from './words.ts';

/** From what happened to what stands in the queue: the noise rules, the words, and each channel's limit. */
export interface Teller {
	/** On disk when it resolves. */
	tell(reports: Report[]): Promise<void>;
	start(): void;
	close(): Promise<void>;
}

/** Who is told: a channel, or somebody's device. */
export type Recipient = Pick<StoredChannel, 'id' | 'kind' | 'events' | 'enabled' | 'gone'>;

type Deps = {
	file: StateFile<NoiseState>;
	recipients: () => Promise<readonly Recipient[]>;
	place: () => Promise<Place>;
	add: (recipient: string, message: Message) => Promise<void>;
	clock: Clock;
	log: { error(message: string, facts?: { cause?: unknown }): void };
};

const LOOK_MS = 15_000;

export function createTeller(deps: Deps): Teller {
	const { clock, log, file } = deps;
	const turns = createSerial();
	const closing = new AbortController();
	const budgets = new Map<string, Budget>();
	let noise: Noise | null = null;

	const rules = async () => (noise ??= createNoise(structuredClone(await file.read())));
	const budgetOf = (id: string) => {
		const known = budgets.get(id) ?? createBudget();
		budgets.set(id, known);
		return known;
	};

	/** In the queue first: what is told twice after a kill has the same id, what was never written is lost. */
	async function pass(notes: Note[], now: number) {
		const recipients = (await deps.recipients()).filter(isActive);
		const place = notes.length ? await deps.place() : null;
		for (const { id, events } of recipients) {
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
			const state = known.state();
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

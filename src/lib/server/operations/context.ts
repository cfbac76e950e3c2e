import { AppError } from '#core/errors';
import { Skipped, type StepContext, type StepPlan } from './definition.ts';
import type { LiveRecord } from './record.ts';

const DETAIL_MAX = 500;

/** Why steps stop early. */
export type Stop = {
	/** The program is ending: the journal stays as it is, for the next process to take up. */
	readonly halted: boolean;
	/** Who cancelled it. */
	readonly cancelledBy: string | null;
	/** The signal for the step that is about to begin. */
	signal(): AbortSignal;
	/** Throws when there is a reason to stop. */
	check(): void;
	halt(): void;
	/** Marks it as cancelled; the returned function notifies the step that was running at that moment. */
	cancel(by: string): () => void;
};

export function createStop(): Stop {
	let controller = new AbortController();
	let halted = false;
	let cancelledBy: string | null = null;
	const reason = () =>
		halted
			? new AppError('busy', 'Craftwarden is shutting down.')
			: new AppError('conflict', `Cancelled by ${cancelledBy}.`);
	return {
		get halted() {
			return halted;
		},
		get cancelledBy() {
			return cancelledBy;
		},
		signal() {
			controller = new AbortController();
			if (halted) controller.abort(reason());
			return controller.signal;
		},
		check() {
			if (halted || cancelledBy !== null) throw reason();
		},
		halt() {
			halted = true;
			controller.abort(reason());
		},
		cancel(by) {
			cancelledBy = by;
			const mine = controller;
			return () => mine.abort(reason());
		}
	};
}

/** Runs or undoes one step; returns true unless the step skipped itself. */
export async function perform(
	record: LiveRecord,
	plan: StepPlan,
	act: (ctx: StepContext) => Promise<void>,
	signal: AbortSignal
): Promise<boolean> {
	const { ctx, over } = createContext(record, plan, signal);
	try {
		await act(ctx);
		return true;
	} catch (error) {
		if (!(error instanceof Skipped)) throw error;
		if (error.message) record.change(plan.id, { detail: shorten(error.message) });
		return false;
	} finally {
		over();
	}
}

function createContext(record: LiveRecord, plan: StepPlan, signal: AbortSignal) {
	let current = true;
	const { entry } = record;
	const ctx: StepContext = {
		id: entry.operation.id,
		signal,
		get checkpoint() {
			return entry.memo;
		},
		async remember(patch) {
			if (!current) throw new Error(`Step ${plan.id} is over and cannot remember anything`);
			const before = entry.memo;
			entry.memo = { ...before, ...patch };
			await record.save().catch((error) => {
				entry.memo = before;
				throw error;
			});
		},
		async report(patch) {
			if (!current) throw new Error(`Step ${plan.id} is over and cannot report anything`);
			const { killedBy } = patch;
			if (killedBy !== undefined) record.change(plan.id, { killedBy });
			await record.report(patch);
		},
		detail(text) {
			if (current) record.updateThrottled(plan.id, { detail: shorten(text) });
		},
		detailOf(step, text) {
			if (current) record.updateThrottled(step, { detail: shorten(text) });
		},
		label(text) {
			if (current) record.updateThrottled(plan.id, { label: text });
		},
		announced(what) {
			if (current) record.updateThrottled(plan.id, { announced: what });
		},
		progress(done, total, unit) {
			if (current) record.updateThrottled(plan.id, { progress: { done, total, unit } });
		},
		log(lines) {
			if (current) record.showLog(plan.id, lines);
		},
		expect(expected) {
			if (current) record.updateThrottled(plan.id, { expected });
		},
		skip(detail) {
			throw new Skipped(detail);
		}
	};
	return { ctx, over: () => (current = false) };
}

const shorten = (text: string) =>
	text.length > DETAIL_MAX ? `${text.slice(0, DETAIL_MAX - 1)}…` : text;

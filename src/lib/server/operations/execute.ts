import type { Cause, OperationState } from '#schemas/operation';
import { afterKept } from '#schemas/plain/kept';
import { withTitles, type ModTitles } from '#schemas/plain/mod-titles';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Lock } from '#core/lock';
import { diskAdvice, diskTrouble } from '#core/files';
import { errorId, type Logger } from '#core/log';
import { perform, type Stop } from './context.ts';
import { OperationFailure, type Definition, type StepPlan } from './definition.ts';
import type { LiveRecord } from './record.ts';
import { cutOff } from './recovery.ts';

/** What people call the mods that a failure names. */
export type TitlesOf = (mods: string[]) => Promise<ModTitles>;

/** Everything that executing one operation needs. */
export type Execution = {
	record: LiveRecord;
	definition: Definition<unknown>;
	plans: StepPlan[];
	stop: Stop;
	clock: Clock;
	log: Logger;
	titlesOf: TitlesOf;
	/** The operation lock, for an operation that began without it; null for one that holds it from its beginning. */
	server: Lock | null;
	/** How long to wait before retrying a rollback that earlier processes did not survive. */
	restMs: number;
	/** Called when the operation's end could not be written. */
	onUnsaved: () => Promise<void>;
};

/** Takes an operation from its journalled phase to its end; resolves early, without an end, when halted. */
export async function execute(execution: Execution): Promise<void> {
	const { record, stop } = execution;
	const { entry } = record;
	try {
		if (entry.phase !== 'forward' && entry.server) await seize(execution);
		if (entry.phase === 'rollback') {
			await rest(execution);
			await rollBack(execution, entry.operation.cause ?? cutOff());
		} else if (entry.phase === 'undo') await takeBack(execution, entry.operation.cause);
		else await forward(execution).catch((error) => afterFailure(execution, error));
	} catch (error) {
		if (!stop.halted) {
			const cause = await explain(execution, error);
			await finish(execution, 'failed', cause);
			return;
		}
		// A graceful shutdown is not a failed attempt, and the next process needs to know what this one did.
		entry.takeovers = 0;
		await record.saveOrWarn();
	}
}

async function forward(execution: Execution) {
	const { record, plans, stop, server } = execution;
	let kept: Cause | null = null;
	for (const plan of plans) {
		const { status } = record.step(plan.id);
		if (status === 'done' || status === 'skipped') continue;
		stop.check();
		const needsServer = plan.exclusive === true && server !== null;
		const isNew = needsServer && !record.entry.server;
		if (isNew) record.entry.server = true;
		const leaves = plan.releases === true && record.entry.server === true ? server : null;
		if (leaves) record.entry.server = false;
		if (status !== 'running') {
			record.change(plan.id, { status: 'running', detail: null, progress: null });
			// The previous step's end is written along with this.
			await record.save();
			if (stop.halted) record.change(plan.id, { status: 'pending' }); // it was never begun
			stop.check();
		}
		// On disk before it is taken: whoever finds this process dead must know.
		else if (isNew) await record.save();
		if (record.entry.server) await seize(execution);
		// On disk first: what others find must not say that it has it still.
		leaves?.release();
		const ended = await perform(record, plan, (ctx) => plan.run(ctx), stop.signal()).catch(
			(error) => keep(execution, error)
		);
		if (typeof ended === 'boolean') record.change(plan.id, { status: ended ? 'done' : 'skipped' });
		else {
			kept = ended;
			record.change(plan.id, { status: 'failed', detail: kept.message });
		}
		record.entry.takeovers = 0;
	}
	// When everything is done, the program ending is no reason to stop.
	if (stop.cancelledBy !== null) stop.check();
	if (kept) return finish(execution, 'failed', kept);
	await record.succeed();
}

/** The cause of a failure that leaves in place what was done; any other one is thrown on. */
async function keep(execution: Execution, error: unknown): Promise<Cause> {
	if (!(error instanceof OperationFailure) || !error.cause.kept) throw error;
	const cause = await explain(execution, error);
	execution.record.entry.operation.kept = error.cause.kept;
	return cause;
}

const SEIZE_POLL_MS = 100;

/** What it waits for is short, or a backup; operations that arrive later are refused while this one waits. */
async function seize({ server, stop, clock, record }: Execution) {
	if (!server) return;
	const step = record.entry.operation.steps.find(({ status }) => status === 'running');
	while (!server.held && !server.tryAcquire()) {
		if (stop.halted) stop.check();
		if (step) record.updateThrottled(step.id, { detail: 'Waiting until the server is free.' });
		await clock.sleep(SEIZE_POLL_MS);
	}
}

async function afterFailure(execution: Execution, error: unknown) {
	const { record, stop, definition } = execution;
	if (stop.halted) throw error;
	const step = record.entry.operation.steps.find(({ status }) => status === 'running');
	if (stop.cancelledBy !== null) {
		const detail = `Cancelled by ${stop.cancelledBy}`;
		if (step) record.change(step.id, { status: 'skipped', detail });
		record.entry.ending = 'cancelled';
		return takeBack(execution, null);
	}
	const cause = await explain(execution, error, { takenBack: definition.rollback !== undefined });
	if (step) record.change(step.id, { status: 'failed', detail: cause.message });
	if (definition.rollback) return rollBack(execution, cause);
	record.entry.ending = 'failed';
	return takeBack(execution, cause);
}

/** Undoes what was done, newest first, including the step that a crash cut off. */
async function takeBack(execution: Execution, cause: Cause | null) {
	const { record, plans, stop } = execution;
	const { entry } = record;
	entry.phase = 'undo';
	entry.operation.cause = cause;
	await record.saveOrWarn();
	const stuck: string[] = [];
	for (const plan of plans.toReversed()) {
		const { status } = record.step(plan.id);
		const crashed = plan.id === entry.crashed && status !== 'undone';
		if (!plan.undo || !(status === 'done' || crashed)) continue;
		if (stop.halted) throw new Error('The rest is for the next process');
		try {
			const undone = await perform(record, plan, (ctx) => plan.undo!(ctx), stop.signal());
			if (undone) record.change(plan.id, { status: 'undone', progress: null });
			entry.takeovers = 0;
		} catch (error) {
			if (stop.halted) throw error;
			const detail = `Could not be undone: ${(await explain(execution, error)).message}`;
			record.change(plan.id, { status: 'failed', detail });
			stuck.push(plan.label);
		}
		await record.saveOrWarn();
	}
	if (stuck.length === 0) {
		const why = entry.ending === 'cancelled' ? await afterCancel(execution) : null;
		return finish(execution, why ? 'failed' : (entry.ending ?? 'interrupted'), why ?? cause);
	}
	const added = `Not everything could be undone: ${stuck.join(', ')}.`;
	await finish(execution, 'failed', withMore(cause, added));
}

/** The definition's own step for it; why it did not succeed, or null. */
async function afterCancel(execution: Execution): Promise<Cause | null> {
	const { record, definition, stop } = execution;
	const plan = definition.afterCancel;
	if (!plan) return null;
	addStep(record, plan);
	record.change(plan.id, { status: 'running', detail: null, progress: null });
	await record.saveOrWarn();
	try {
		const done = await perform(record, plan, (ctx) => plan.run(ctx), stop.signal());
		record.change(plan.id, { status: done ? 'done' : 'skipped' });
		return null;
	} catch (error) {
		if (stop.halted) throw error;
		const why = await explain(execution, error);
		record.change(plan.id, { status: 'failed', detail: why.message });
		return why;
	}
}

/** One that is not among those it began with; once. */
function addStep({ entry }: LiveRecord, { id, label }: StepPlan) {
	const { steps } = entry.operation;
	if (steps.some((one) => one.id === id)) return;
	const blank = { status: 'pending', detail: null, progress: null, at: '' } as const;
	steps.push({ id, label, ...blank });
}

/** Something ends the program whenever this is tried, so it is not retried at once, and people are told. */
async function rest(execution: Execution) {
	const { record, clock, log, stop, restMs } = execution;
	if (restMs === 0) return;
	const { id } = rollbackStep(execution);
	const again = `Next attempt in ${Math.ceil(restMs / 1000)} s.`;
	const detail = `Craftwarden was ended again and again while it did this. ${again}`;
	record.change(id, { status: 'running', detail, progress: null });
	record.tell();
	const { id: operation, kind } = record.entry.operation;
	log.error(`Every process that tried a rollback has died (${kind}). ${again}`, { operation });
	await clock.sleep(restMs, stop.signal());
	record.entry.takeovers += 1;
}

function rollbackStep({ record, definition }: Execution): StepPlan {
	const plan = definition.rollback!;
	addStep(record, plan);
	return plan;
}

/** The definition's own rollback, as a separate step. */
async function rollBack(execution: Execution, cause: Cause) {
	const { record, stop } = execution;
	const { entry } = record;
	entry.phase = 'rollback';
	entry.operation.cause = cause;
	const plan = rollbackStep(execution);
	record.change(plan.id, { status: 'running', detail: null, progress: null });
	await record.saveOrWarn();
	try {
		const done = await perform(record, plan, (ctx) => plan.run(ctx), stop.signal());
		record.change(plan.id, { status: done ? 'done' : 'skipped' });
		await finish(execution, done ? 'rolled-back' : 'failed', cause);
	} catch (error) {
		if (stop.halted) throw error;
		const { message } = await explain(execution, error);
		record.change(plan.id, { status: 'failed', detail: message });
		const reached = plan.reached?.(entry.memo) ?? null;
		const added = message.startsWith(cause.message)
			? `${reached ? `${reached},` : 'The rollback failed'} for the same reason.${message.slice(cause.message.length)}`
			: `${reached ?? 'The rollback failed too'}: ${message}`;
		await finish(execution, 'failed', withMore(cause, added));
	}
}

async function finish(execution: Execution, state: OperationState, cause: Cause | null) {
	if (!(await execution.record.end(state, cause))) await execution.onUnsaved();
}

const withMore = (cause: Cause | null, more: string): Cause => ({
	...(cause ?? { log: [], mods: [] }),
	message: cause ? `${cause.message} ${more}` : more
});

/** The message for the person; an unexpected failure goes to the log under an id. */
async function explain(
	{ record, log, titlesOf }: Execution,
	error: unknown,
	{ takenBack = false } = {}
): Promise<Cause> {
	const { id: operation, kind } = record.entry.operation;
	if (error instanceof OperationFailure) {
		const { advice, kept, message: said, ...rest } = error.cause;
		const cause: Cause = { message: said, ...rest };
		if (advice && !takenBack) cause.message = `${cause.message} ${advice}`;
		// Now, because a rollback may take them away.
		const titles = cause.mods.length && (await titlesOf(cause.mods).catch((): ModTitles => ({})));
		const why = titles ? withTitles(cause.message, titles) : cause.message;
		const message = kept ? afterKept(kept, why) : why;
		return { ...cause, message, ...(titles && { titles }) };
	}
	if (error instanceof AppError) {
		log.warn(`A step failed (${kind})`, { operation, cause: error });
		const advice = diskAdvice(error);
		const isSaid = !advice || error.message.includes(advice);
		return { message: isSaid ? error.message : `${error.message} ${advice}`, log: [], mods: [] };
	}
	const id = errorId();
	log.error('A step of an operation failed unexpectedly', { id, operation, kind, cause: error });
	const advice = diskAdvice(error);
	const why = advice
		? `: ${diskTrouble(error)}. ${advice}`
		: '. Try again; if it happens again, the dashboard’s log has the cause under this id.';
	return { message: `Something went wrong (id ${id})${why}`, log: [], mods: [] };
}

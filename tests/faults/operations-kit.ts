import path from 'node:path';
import { onTestFinished } from 'vitest';
import type {
	Operation,
	OperationKind,
	OperationState,
	OperationSummary
} from '#schemas/operation';
import { type Clock, systemClock } from '#core/clock';
import { createLock } from '#core/lock';
import {
	createOperations,
	type Definition,
	type Operations,
	type StepContext,
	type StepPlan
} from '#operations';
import { createJournal, type Entry, type Journal } from '#storage/journal';
import { tempDir } from './temp.ts';

export const ann = { name: 'ann', role: 'admin', address: '192.0.2.1' } as const;

type Options = {
	dir?: string;
	clock?: Clock;
	closeWithinMs?: number;
	titlesOf?: Parameters<typeof createOperations>[0]['titlesOf'];
	journal?: (real: Journal) => Journal;
	/** Kinds that begin beside the others. */
	beside?: OperationKind[];
};

/** A runner on a real folder, as one process has it, and everything that it says. */
export async function createKit(options: Options = {}) {
	const dir = options.dir ?? (await tempDir());
	const clock = options.clock ?? systemClock;
	const said: { level: string; message: string; facts?: Record<string, unknown> }[] = [];
	const say = (level: string) => (message: string, facts?: Record<string, unknown>) =>
		void said.push({ level, message, facts });
	const log = { info: say('info'), warn: say('warn'), error: say('error') };
	const summaries: OperationSummary[] = [];
	/** What was noted of operations that were over. */
	const noted: OperationSummary[] = [];
	const real = createJournal({ dir: path.join(dir, 'operations'), warn: log.error });
	const lock = createLock(path.join(dir, 'operation.lock'), clock);
	const journal = options.journal?.(real) ?? real;
	const trialLock = createLock(path.join(dir, 'trial.lock'), clock);
	const operations = createOperations({
		...{ journal, lock, clock, log },
		...(options.beside && {
			beside: { kinds: options.beside, lock: trialLock.share(), server: lock.share() }
		}),
		titlesOf: options.titlesOf,
		closeWithinMs: options.closeWithinMs,
		publish: ({ type, summary }) => void (type === 'operation' ? summaries : noted).push(summary)
	});
	onTestFinished(async () => {
		await operations.close();
		trialLock.close();
		lock.close();
	});
	return { dir, journal: real, lock, operations, said, summaries, noted };
}
export type Kit = Awaited<ReturnType<typeof createKit>>;

/** The operation when it has ended. */
export async function finished(operations: Operations, started: Operation | Promise<Operation>) {
	const { id } = await started;
	const { promise, resolve } = Promise.withResolvers<Operation>();
	const stop = operations.watch(id, (event) => event.type === 'end' && resolve(event.operation));
	onTestFinished(stop);
	return promise;
}

/** Steps that record in `actions` what they do. */
export function noting(actions: string[], id: string, facts: Partial<StepPlan> = {}): StepPlan {
	const { run, undo, ...rest } = facts;
	return {
		id,
		label: `Doing ${id}`,
		async run(ctx) {
			actions.push(id);
			await run?.(ctx);
		},
		...(undo && {
			async undo(ctx: StepContext) {
				actions.push(`-${id}`);
				await undo(ctx);
			}
		}),
		...rest
	};
}

/** A step that is under way until `open` is called. */
export function gateStep(id = 'gate', facts: Partial<StepPlan> = {}) {
	const entered = Promise.withResolvers<StepContext>();
	const opened = Promise.withResolvers<void>();
	const plan: StepPlan = {
		id,
		label: `Waiting at ${id}`,
		async run(ctx) {
			entered.resolve(ctx);
			const aborted = new Promise<never>((_, reject) => {
				ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason));
			});
			await Promise.race([opened.promise, aborted]);
		},
		...facts
	};
	return { plan, entered: entered.promise, open: opened.resolve, fail: opened.reject };
}

/** What a process that was killed leaves in the journal: the steps before `at` are done, that one was running. */
export function leftBehind(
	kind: Operation['kind'],
	ids: string[],
	at: number,
	facts: Partial<Entry> = {}
): Entry {
	const now = new Date().toISOString();
	const statusOf = (i: number) => (i < at ? 'done' : i === at ? 'running' : 'pending');
	const steps = ids.map((id, i) => {
		const status = statusOf(i) as 'done' | 'running' | 'pending';
		return { id, label: `Doing ${id}`, status, detail: null, progress: null, at: now };
	});
	const id = `20260102T03040512${(counter = (counter + 1) % 10)}Z-${process.pid.toString(16).padStart(4, '0').slice(-4)}`;
	const state: OperationState = 'running';
	const operation = {
		id,
		kind,
		subject: null,
		by: 'ann',
		state,
		startedAt: now,
		finishedAt: null,
		steps,
		cause: null
	};
	const rest = {
		phase: 'forward',
		ending: null,
		crashed: null,
		takeovers: 0,
		writtenAt: now
	} as const;
	return { version: 1, operation, input: {}, memo: {}, ...rest, ...facts };
}
let counter = 0;

/** Defines `backup` with these steps. */
export const define = (kit: Kit, steps: StepPlan[], facts: Partial<Definition<unknown>> = {}) =>
	kit.operations.define({ kind: 'backup', steps: () => steps, ...facts });
/** Runs it. */
export const run = (kit: Kit, input: unknown = {}) =>
	kit.operations.run('backup', input, ann, 'the world');

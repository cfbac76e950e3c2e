import { z } from 'zod';
import { RestoreUndo } from './backup.ts';
import { Time } from './common.ts';

/** Sorts by time: `20260102T030405123Z-1a2b`. */
export const OperationId = z.string().regex(/^\d{8}T\d{9}Z-[0-9a-f]{4}$/, 'Unknown operation');
export const OperationRef = z.object({ id: OperationId });

/** What the page of one that failed begins once more; everything else has a page that says first what happens. */
export const OperationAgain = z.object({ do: z.enum(['start', 'backup', 'modpack']) });
export type OperationAgain = z.infer<typeof OperationAgain>;

export const OperationKind = z.enum([
	'start',
	'stop',
	'restart',
	'install',
	'update',
	'enable',
	'disable',
	'remove',
	'backup',
	'restore',
	'modpack',
	'culprit',
	'java',
	'create',
	'import',
	'change-software',
	'upgrade',
	'go-back'
]);
export type OperationKind = z.infer<typeof OperationKind>;

export const OperationState = z.enum([
	'running',
	'succeeded',
	'failed',
	'rolled-back',
	'cancelled',
	'interrupted'
]);
export type OperationState = z.infer<typeof OperationState>;

export const StepStatus = z.enum(['pending', 'running', 'done', 'failed', 'skipped', 'undone']);
export type StepStatus = z.infer<typeof StepStatus>;

export const Step = z.object({
	id: z.string(),
	label: z.string(),
	status: StepStatus,
	detail: z.string().nullable(),
	progress: z.object({ done: z.number(), total: z.number(), unit: z.string() }).nullable(),
	/** How long it usually takes and when it is given up, where that is known. */
	expected: z.object({ usualMs: z.number().nullable(), limitMs: z.number().nullable() }).optional(),
	/** What the players were last told during it, as far as the game accepted it; absent when nothing was. */
	announced: z.object({ text: z.string(), at: Time }).optional(),
	/** Who killed the server during it, so that it could not save; absent otherwise. */
	killedBy: z.string().optional(),
	/** When it began and ended, whatever has become of it since; absent where it has not, and in older operations. */
	startedAt: Time.optional(),
	endedAt: Time.optional(),
	/** When this last changed. */
	at: Time
});
export type Step = z.infer<typeof Step>;

/** What the server writes while a step boots it: the newest lines, masked, oldest first. */
export type OperationLog = { step: string; lines: string[] };

/** Why an operation failed: our sentence, the text from the log, the mods it names. */
export const Cause = z.object({
	message: z.string(),
	log: z.array(z.string()),
	mods: z.array(z.string()),
	/** The log leaves no doubt about these mods; absent otherwise. */
	certain: z.literal(true).optional(),
	/** The server was only not ready in time, and was left to go on loading; absent otherwise. */
	loading: z.literal(true).optional(),
	/** A trial on a copy failed, so nothing was changed and the server was not stopped; absent otherwise, and in older journals. */
	onCopy: z.literal(true).optional(),
	/** What people called these mods then, by what `mods` says. */
	titles: z.record(z.string(), z.string()).optional()
});
export type Cause = z.infer<typeof Cause>;

/** One start of the server on a copy. `files`: of what was tried, that which was on; none in a control boot. */
export const TrialBoot = z.object({
	files: z.array(z.string()),
	verdict: z.enum(['good', 'bad', 'indeterminate']),
	/** It shows what the result is compared with: the mods as they are, or all suspects together. */
	control: z.boolean(),
	durationMs: z.number(),
	at: Time
});
export type TrialBoot = z.infer<typeof TrialBoot>;

/** What a search for the culprit found. */
export const CulpritResult = z.object({
	/** `fileName` as in the new set. */
	culprits: z.array(
		z.object({ fileName: z.string(), title: z.string(), version: z.string().nullable() })
	),
	/** They fail only together. */
	together: z.boolean(),
	/** Installed files that can be updated without them. */
	rest: z.array(z.string()),
	/** How many of them have started on a copy without the culprits; absent in older journals, and where there is no rest. */
	tried: z.int().optional(),
	/** What people call these; absent in older journals, and where there is none. */
	started: z.array(z.string()).optional(),
	/** How many of the suspects replace an older file; absent in older journals, and where there is no rest. */
	updates: z.int().optional(),
	/** Where nobody could be blamed: whom the log of the failure names. Absent otherwise. */
	named: z.array(z.string()).optional()
});
export type CulpritResult = z.infer<typeof CulpritResult>;

/** What became of one mod, or was to: `from` and `to` are versions, null where there is none or nobody knows it. */
export const ModDifference = z.object({
	is: z.enum(['add', 'replace', 'remove', 'enable', 'disable']),
	title: z.string(),
	from: z.string().nullable(),
	to: z.string().nullable()
});
export type ModDifference = z.infer<typeof ModDifference>;

export const Operation = z.object({
	id: OperationId,
	kind: OperationKind,
	/** What it is about, e.g. a mod's name; null for the server itself. */
	subject: z.string().nullable(),
	/** The account's name, or `dashboard` or `schedule`. */
	by: z.string(),
	state: OperationState,
	startedAt: Time,
	finishedAt: Time.nullable(),
	steps: z.array(Step),
	cause: Cause.nullable(),
	/** Absent while nothing was started on a copy. */
	boots: z.array(TrialBoot).optional(),
	result: CulpritResult.optional(),
	/** Of a change of mods: mod by mod, what it was to change; absent in older operations, and where there is nothing. */
	changes: z.array(ModDifference).optional(),
	/**
	 * Of one that was rolled back, when what was taken back had opened the world: `backup` is the id of the one from right
	 * before, null when none was made. Absent otherwise.
	 */
	worldOpened: z.object({ backup: z.string().nullable() }).optional(),
	/**
	 * Of a failed change that stays all the same, because the server does not run for a reason of its own: what was done,
	 * in sentences that the cause goes on from. Absent otherwise.
	 */
	kept: z.string().optional(),
	/** Absent when a restore made no backup first. */
	undo: RestoreUndo.optional(),
	/** Of a restore that takes back another one: which, and what that was about; absent otherwise. */
	undoes: z.object({ operation: OperationId, subject: z.string() }).optional(),
	/** Who killed the server while it was to end for this, so that it could not save; absent otherwise. */
	killedBy: z.string().optional(),
	/** How it ended instead, where it crashed then or was killed from outside, in sentences; absent otherwise. */
	unclean: z.string().optional(),
	/** The server that it had started crashed within ten minutes of its end, and what it left behind; absent otherwise. */
	crashed: z.object({ at: Time, report: z.string().optional() }).optional(),
	/** The server that it had started stopped responding within ten minutes of its end, and did not come back; absent otherwise. */
	hung: z.object({ at: Time }).optional(),
	/** Absent when it cannot be cancelled now, or not from here. */
	cancellable: z.boolean().optional(),
	/** So far it works beside the server, which can be stopped and started meanwhile; absent otherwise. */
	leavesServer: z.boolean().optional(),
	/** Players are being told that it restarts the server in a moment; absent otherwise. */
	countsDown: z.boolean().optional(),
	/** When its countdown ends, or would have ended; absent when there was none. */
	countsDownTo: Time.optional()
});
export type Operation = z.infer<typeof Operation>;

/** An operation in one line of a list or of the live stream: `step` is the label of the current one. */
export const OperationSummary = Operation.omit({ steps: true, boots: true, changes: true }).extend({
	step: z.string().nullable(),
	cancellable: z.boolean(),
	leavesServer: z.boolean(),
	countsDown: z.boolean(),
	/** What it has changed is being taken back; absent otherwise. */
	rollsBack: z.literal(true).optional()
});
export type OperationSummary = z.infer<typeof OperationSummary>;

/** An operation in a list: with its steps while it runs, and with what the live stream adds. */
export type OperationRow = Omit<Operation, 'steps'> & Partial<Operation & OperationSummary>;

const OPERATIONS_PAGE_MAX = 200;
export const OperationList = z.object({
	limit: z.coerce.number().int().min(1).max(OPERATIONS_PAGE_MAX).default(50)
});

import { z } from 'zod';
import { Time } from '../common.ts';
import { OperationKind } from '../operation.ts';

/** What may need attention, the most urgent first. */
export const ATTENTION_CODES = [
	...([
		'crashed',
		'hanging',
		'unknown',
		'unseen',
		'slow-start',
		'world',
		'not-written',
		'saving-off',
		'backup-folder',
		'java-missing',
		'disk-low'
	] as const),
	...(['grace-short', 'changes-undone'] as const),
	...(['mods-damaged', 'mods-missing', 'backup-damaged', 'rcon-refused', 'change-failed'] as const),
	...([
		'backup-failed',
		'backup-old',
		'channel-broken',
		'setup',
		'folder',
		'root',
		'slow',
		'updates'
	] as const)
] as const;

/** The one thing to press: it leads to what helps, or shows more. */
export const AttentionAction = z.object({
	label: z.string(),
	href: z.string(),
	/** When set, pressing it also says that somebody has looked: a form posts it to the overview's `seen`. */
	seen: z.string().nullable(),
	/** It puts right what is wrong, and does not only show it; absent otherwise. */
	helps: z.literal(true).optional(),
	/** What it leads to ends the server without saving: it looks as it does there; absent otherwise. */
	danger: z.literal(true).optional(),
	/** When set, pressing it plans this upgrade: a form posts it to the page of upgrades. */
	upgrade: z.object({ gameVersion: z.string(), park: z.array(z.string()) }).optional(),
	/** When set, pressing it makes a backup: a form posts it to the page of backups. */
	backUp: z.literal(true).optional()
});
export type AttentionAction = z.infer<typeof AttentionAction>;

/** Something on the overview that needs attention. */
export const Attention = z.object({
	code: z.enum(ATTENTION_CODES),
	/** It alone has this one, while several may have its code. */
	key: z.string(),
	title: z.string(),
	detail: z.string(),
	advice: z.string().nullable(),
	/** Since when; null while that is not known. */
	since: Time.nullable(),
	/** That is when it was first noticed, as nothing says when it began; absent otherwise. */
	noticed: z.literal(true).optional(),
	action: AttentionAction.nullable(),
	/** What else can be pressed. */
	further: z.array(AttentionAction),
	/** For whom the advice is wrong, and the lines of `.env` that help them instead; absent where there is no such case. */
	instead: z
		.object({
			whenever: z.string(),
			ways: z.array(z.object({ what: z.string(), lines: z.array(z.string()) })),
			then: z.string()
		})
		.optional(),
	/** It is not urgent, other than what else has this code; absent otherwise. */
	canWait: z.literal(true).optional()
});
export type Attention = z.infer<typeof Attention>;

/** Mods that a crash or a failed start names, and what can be done about them. */
export const Blame = z.object({
	at: Time,
	/** Those of the named mods that are still installed and enabled. */
	mods: z.array(
		z.object({
			fileName: z.string(),
			name: z.string(),
			locked: z.boolean(),
			/** The newer version that the registry offers; null when none is known. */
			newer: z.string().nullable(),
			/** The world loses nothing without it; absent where it may. */
			contentFree: z.literal(true).optional(),
			/** Another version of it, with which the server had crashed as well. */
			crashedWith: z.string().optional()
		})
	),
	/** The last change of the mods before it. */
	change: z
		.object({
			title: z.string(),
			at: Time,
			operationId: z.string(),
			/** The mods as they were before; null when there is none to be put back. */
			snapshotId: z.string().nullable(),
			/** Another way back than by that snapshot, for superadmins. */
			back: z.object({ label: z.string(), href: z.string() }).optional()
		})
		.nullable()
});
export type Blame = z.infer<typeof Blame>;

/** The last crash, while it lasts or until somebody has looked at it. */
export const CrashCard = Blame.extend({
	/** `crash:<at>` */
	key: z.string(),
	/** It has not been started since. */
	lasts: z.boolean(),
	/** It crashed once more since, with what a change had tried and has taken back; absent otherwise. */
	again: z
		.object({
			at: Time,
			operationId: z.string(),
			kind: OperationKind,
			subject: z.string().nullable()
		})
		.optional(),
	message: z.string(),
	advice: z.string().nullable(),
	/** What was done since about all the mods that it names; absent while one is as it was. */
	mended: z.string().optional(),
	/** The mods are being changed: nothing can be done about them now. Absent otherwise. */
	changing: z.literal(true).optional(),
	/** Whose fault it is, as far as is known. */
	fault: z.string(),
	/** Text from the log. */
	lines: z.array(z.string()),
	/** The one of them that names a mod it was because of; absent when none does. */
	named: z.string().optional(),
	/** The name of the crash report. */
	report: z.string().nullable(),
	/** The log in which it happened. */
	log: z.string(),
	seen: z.boolean()
});
export type CrashCard = z.infer<typeof CrashCard>;

/** A crash that names mods which would be started again. */
export type CrashOfMods = Blame & Pick<CrashCard, 'message' | 'advice'>;

/** A mod that is disabled since a crash that named it. */
export const DisabledAfterCrash = z.object({
	fileName: z.string(),
	at: Time,
	/** The version that it crashed with, where another one is there by now; absent otherwise. */
	version: z.string().optional(),
	/** Where the crash report, or else the log, is read; null when neither is known. */
	href: z.string().nullable(),
	isReport: z.boolean()
});
export type DisabledAfterCrash = z.infer<typeof DisabledAfterCrash>;

export const AttentionReport = z.object({
	items: z.array(Attention),
	crash: CrashCard.nullable(),
	/** What could not be asked, in words: "whether updates are waiting"; `why`: null while it is being asked. */
	unasked: z.array(
		z.object({
			source: z.enum(['mods', 'updates', 'backups', 'operations', 'machine']),
			what: z.string(),
			why: z.string().nullable()
		})
	),
	/** Some of it is being looked at right now. */
	pending: z.boolean(),
	/** Something is told only when what is under way has ended, which may deal with it; absent otherwise. */
	heldBack: z.literal(true).optional()
});
export type AttentionReport = z.infer<typeof AttentionReport>;

/** The press of "Seen", and of links that count as a look. */
export const SeenForm = z.object({
	key: z.string().regex(/^[a-z]+:[\w:.-]{1,60}$/, 'Unknown'),
	/** A place in the dashboard to go to; the overview when empty. */
	to: z
		.string()
		.regex(/^\/admin(?:[/?][^\\\s]{0,300})?$/, 'Unknown')
		.or(z.literal(''))
		.default('')
});

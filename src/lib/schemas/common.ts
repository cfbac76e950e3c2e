import { z } from 'zod';
import { NOT_A_NAME } from './plain/player-name.ts';

export const Role = z.enum(['admin', 'superadmin']);
export type Role = z.infer<typeof Role>;

/** ISO 8601 in UTC, like every time sent or received. */
export const Time = z.iso.datetime();

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The game's form of a player's id, in lower case. */
export const PlayerUuid = z.string().toLowerCase().regex(UUID, 'Not the id of a player');

/** One line without control characters; text that people type for others to see. */
export const oneLine = (max: number) =>
	z
		.string()
		.trim()
		.max(max, `At most ${max} characters`)
		// eslint-disable-next-line no-control-regex
		.regex(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/, 'One line without control characters');

export const NOTE_MAX = 80;
/** What people write on a backup or a snapshot, to recognise it later. */
export const Note = oneLine(NOTE_MAX);

/** A form's checkbox: an unchecked one sends nothing. */
export const checkbox = z
	.literal('on')
	.optional()
	.transform((value) => value === 'on');

/** A form's button or choice that turns something on or off. */
export const yesOrNo = z.enum(['yes', 'no']).transform((value) => value === 'yes');

/** A note or a pin, as a form with two buttons sends them: the button for pinning has a value of its own. */
export const PatchForm = z
	.object({ note: Note.optional(), pinned: yesOrNo.optional() })
	.transform(({ note, pinned }) =>
		pinned !== undefined ? { pinned } : note === undefined ? {} : { note }
	);

/** The shape of every error answer (RFC 9457). */
export const Problem = z.object({
	type: z.literal('about:blank'),
	title: z.string(),
	status: z.int(),
	detail: z.string(),
	code: z.string(),
	issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
	operation: z.string().optional()
});
export type Problem = z.infer<typeof Problem>;

/** A whole number from JSON or from a form's text field; an empty field counts as absent. */
export const wholeNumber = (min: number, max: number) =>
	z.preprocess(
		(value) =>
			value === ''
				? undefined
				: typeof value === 'string' && /^-?\d{1,9}$/.test(value)
					? Number(value)
					: value,
		z.int('A whole number').min(min, `At least ${min}`).max(max, `At most ${max}`)
	);

/** A form's empty field counts as absent, which the schema says what to make of. */
export const absentWhenEmpty = <S extends z.ZodType>(schema: S) =>
	z.preprocess((value) => (value === '' ? undefined : value), schema);
/** A field that may be left empty. */
export const unlessEmpty = <S extends z.ZodType>(schema: S) => absentWhenEmpty(schema.optional());

/** For any prefix that can be configured: no space, quote, selector, path or format code. */
const ANY_NAME = /^[^\s@"'\\/§\p{C}]{1,16}$/u;

/** A name that may be one of a player; absent when it is empty. */
export const OnePlayer = unlessEmpty(z.string().regex(ANY_NAME, NOT_A_NAME));

import type { z } from 'zod';
import type { Role } from '#schemas/common';
import type { InstalledMods } from '#schemas/mod';
import type { TaskList, TaskWaiting } from '#schemas/task';
import type { TriggerList } from '#schemas/trigger';

export type Least = 'public' | Role;
type Schema = z.ZodType;
/** Stands for an input that an endpoint does not have. */
type None = z.ZodUndefined;

/** A schema for JSON, a media type for anything else, null for no body. */
export type AnswerBody = Schema | string | null;
/** What is answered on success, by status. */
export type Answers = Readonly<Record<number, AnswerBody>>;

/** What a refinement may look up: the stored object that a request is about. */
export interface Stored {
	mods: { list(): Promise<InstalledMods> };
	schedule: { list(): Promise<TaskList>; waiting(): Promise<TaskWaiting[]> };
	triggers: { list(): Promise<TriggerList> };
}

type Inputs<P extends Schema, Q extends Schema, B extends Schema> = {
	/** Of the path: a value that cannot be an id is answered with not found. */
	params?: P;
	query?: Q;
	/** JSON, or the fields of a form. */
	body?: B;
};
type Parsed<P extends Schema, Q extends Schema, B extends Schema> = {
	params: z.output<P>;
	query: z.output<Q>;
	body: z.output<B>;
};

type Access<P extends Schema, Q extends Schema, B extends Schema> = {
	/** The lowest role that may call it at all. */
	role: Least;
	/** What this particular request needs; checked after parsing, before the handler. Null when `role` is enough. */
	refine?(input: Parsed<P, Q, B>, stored: Stored): Role | null | Promise<Role | null>;
};

type Described<P extends Schema, Q extends Schema, B extends Schema, A extends Answers> = Access<
	P,
	Q,
	B
> &
	Inputs<P, Q, B> & { summary: string; answers: A };

type FileInput = {
	/** The field of the form (multipart/form-data) that contains the file. */
	file: string;
	maxBytes: number;
};

/** Answers JSON, or nothing. */
export const json = <
	const A extends Answers,
	P extends Schema = None,
	Q extends Schema = None,
	B extends Schema = None
>(
	entry: Described<P, Q, B, A>
) => ({ kind: 'json' as const, ...entry });

/** Takes whatever is sent: a body that is too large or invalid reaches the handler as null. */
export const lenient = <const A extends Answers, B extends Schema>(
	entry: Described<None, None, B, A> & { maxBytes: number }
) => ({ kind: 'lenient' as const, ...entry });

/** Answers bytes or text of a media type. */
export const download = <const A extends Answers, P extends Schema = None, Q extends Schema = None>(
	entry: Described<P, Q, None, A>
) => ({ kind: 'download' as const, ...entry });

/** Answers server-sent events. No HEAD: the stream has no end to wait for. */
export const stream = <
	P extends Schema = None,
	B extends Schema = None,
	const A extends Answers = { 200: 'text/event-stream' }
>(
	entry: Omit<Described<P, None, B, A>, 'answers'> & { answers?: A }
) => ({ kind: 'stream' as const, ...entry, answers: (entry.answers ?? EVENTS) as A });

const EVENTS = { 200: 'text/event-stream' };

/** Takes JSON, or one file of a multipart form with other fields beside it: `body` is null then. */
export const jsonOrFile = <const A extends Answers, B extends Schema, F extends Schema>(
	entry: Described<None, None, B, A> & FileInput & { fields: F }
) => ({ kind: 'json-or-file' as const, ...entry });

/** Takes one file of a multipart form, as it arrives. */
export const upload = <const A extends Answers>(
	entry: Described<None, None, None, A> & FileInput
) => ({ kind: 'upload' as const, ...entry });

/** A form action of a page: its form's fields are the body. */
export const action = <B extends Schema>(entry: Access<Schema, Schema, B> & { body: B }) => ({
	kind: 'action' as const,
	...entry
});

/** A form action that takes one file, and maybe other fields of the form. */
export const uploadAction = <F extends Schema = None>(
	entry: { role: Least; fields?: F } & FileInput
) => ({
	kind: 'upload' as const,
	...entry
});

/** A page: who may see it, and its form actions by name. */
export const page = <
	P extends Schema = None,
	Q extends Schema = None,
	const F extends Record<string, Action> = Record<never, never>
>(entry: {
	role: Least;
	params?: P;
	query?: Q;
	actions?: F;
}) => ({ kind: 'page' as const, ...entry });

/** Any entry, for code that handles them all. */
export type Endpoint = Access<Schema, Schema, Schema> &
	Inputs<Schema, Schema, Schema> & {
		kind: 'json' | 'json-or-file' | 'lenient' | 'download' | 'stream' | 'upload';
		summary: string;
		answers: Answers;
		file?: string;
		fields?: Schema;
		maxBytes?: number;
	};
export type FormAction = Access<Schema, Schema, Schema> & { kind: 'action'; body: Schema };
export type UploadAction = { kind: 'upload'; role: Least; fields?: Schema } & FileInput;
export type Action = FormAction | UploadAction;
export type Page = {
	kind: 'page';
	role: Least;
	params?: Schema;
	query?: Schema;
	actions?: Record<string, Action>;
};

type OutputOf<E, Name extends string> = E extends { [N in Name]?: infer S }
	? [NonNullable<S>] extends [Schema]
		? z.output<NonNullable<S>>
		: undefined
	: undefined;

/** What the handler of an entry gets, parsed. */
export type InputOf<E> = {
	params: OutputOf<E, 'params'>;
	query: OutputOf<E, 'query'>;
	body: E extends { kind: 'lenient' | 'json-or-file' }
		? OutputOf<E, 'body'> | null
		: OutputOf<E, 'body'>;
	/** What stands beside the file; asked for when that has been read. */
	fields: () => Promise<OutputOf<E, 'fields'>>;
};

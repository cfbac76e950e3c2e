/** What can go wrong for a person, by kind. `http` alone knows which status each becomes. */
export type Kind =
	| 'malformed'
	| 'unauthorized'
	| 'forbidden'
	| 'not-found'
	| 'method-not-allowed'
	| 'conflict'
	| 'too-large'
	| 'unsupported-media'
	| 'out-of-range'
	| 'misdirected'
	| 'invalid'
	| 'throttled'
	| 'internal'
	| 'upstream'
	| 'offline'
	| 'busy'
	| 'timeout';

/** One wrong field: `path` with dots (`players.0.name`), empty for the whole body. */
export type Issue = { path: string; message: string };

type Facts = {
	cause?: unknown;
	issues?: Issue[];
	/** A more specific code for programs, e.g. `plan-changed`. */
	code?: string;
	/** Seconds after which trying again makes sense. */
	retryAfterS?: number;
	/** The id of the operation that is in the way. */
	operation?: string;
	/** Methods that the address supports. */
	allow?: string[];
	/** The length of the file of which a range was requested. */
	bytes?: number;
};

/** An expected failure, worded for the person who caused it. Anything else is a bug. */
export class AppError extends Error {
	readonly kind: Kind;
	readonly code: string;
	readonly issues: Issue[];
	readonly retryAfterS: number | null;
	readonly operation: string | null;
	readonly allow: string[];
	readonly bytes: number | null;

	constructor(kind: Kind, message: string, facts: Facts = {}) {
		super(message, { cause: facts.cause });
		this.name = 'AppError';
		this.kind = kind;
		this.code = facts.code ?? kind;
		this.issues = facts.issues ?? [];
		this.retryAfterS = facts.retryAfterS ?? null;
		this.operation = facts.operation ?? null;
		this.allow = facts.allow ?? [];
		this.bytes = facts.bytes ?? null;
	}
}

/** The `code` of a Node system error (`ENOENT`, …), else null. */
export const errno = (error: unknown): string | null =>
	error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

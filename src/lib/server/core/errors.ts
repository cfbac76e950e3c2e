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

/** A finer word than the kind, for programs. Kebab-case; a name never changes once clients know it. */
export type FineCode =
	| 'address-refused'
	| 'archive-damaged'
	| 'backup-folder'
	| 'bad-jar'
	| 'crowded'
	| 'demo-registry'
	| `disk-${string}`
	| 'duplicate'
	| 'gone'
	| 'half-restored'
	| 'java-missing'
	| 'journal'
	| 'late-mods'
	| 'left-behind'
	| 'locked'
	| 'name-taken'
	| 'no-compatible-version'
	| 'no-game-version'
	| 'no-loader'
	| 'no-space'
	| 'no-status'
	| 'no-world'
	| 'nonsense'
	| 'not-a-file'
	| 'not-listed'
	| 'not-verified'
	| 'nothing-to-do'
	| 'outage'
	| 'outcome-unknown'
	| 'plan-blocked'
	| 'plan-changed'
	| 'rate-limited'
	| 'rcon-auth'
	| 'rcon-auth-unsure'
	| 'rcon-closed'
	| 'rcon-off'
	| 'rcon-protocol'
	| 'rcon-silent'
	| 'rcon-unreachable'
	| 'redirects'
	| 'refused'
	| 'refused-file'
	| 'retired'
	| 'server-folder'
	| 'server-stopped'
	| 'silent'
	| 'slow'
	| 'snapshot-damaged'
	| 'tls'
	| 'unreachable'
	| 'world-refused'
	| 'wrong-hash'
	| 'wrong-origin'
	| 'wrong-size';

/** What Node calls a system error (`ENOSPC`); failures of archives have always carried it. */
export type SystemCode = `E${string}`;

/** The `code` of an error: its kind, unless there is a finer word. */
export type Code = Kind | FineCode | SystemCode;

/** One wrong field: `path` in dots (`players.0.name`), empty for the whole body. */
export type Issue = { path: string; message: string };

type Facts = {
	cause?: unknown;
	issues?: Issue[];
	/** The kind by default. */
	code?: Code;
	/** Seconds after which trying again makes sense. */
	retryAfterS?: number;
	/** The id of the operation that is in the way. */
	operation?: string;
	/** Methods that the address supports. */
	allow?: string[];
	/** Length of the file of which a part was asked for. */
	bytes?: number;
};

/** An expected failure, worded for the person who caused it. Anything else is a bug. */
export class AppError extends Error {
	readonly kind: Kind;
	readonly code: Code;
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

/** Refuses wrong fields in the words of the first one, which beside a field have no full stop. */
export function invalid(issues: Issue[], cause?: unknown): AppError {
	const message = issues[0]?.message ?? 'Check the fields';
	const sentence = /[.!?…]$/.test(message) ? message : `${message}.`;
	return new AppError('invalid', sentence, { issues, cause });
}

/** The `code` of a Node system error (`ENOENT`, …), else null. */
export const errno = (error: unknown): string | null =>
	error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

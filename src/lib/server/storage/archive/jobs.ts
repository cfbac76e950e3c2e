/** One part of the server's folder that is archived whole. */
export type Root = {
	/** Relative to the server's folder. */
	path: string;
	/** The world to which its bytes count; null for configuration. */
	world: string | null;
	/** Names directly below it that are left out. */
	skip?: string[];
};

/** What an archive says about itself, in the first line of its manifest. */
export type ArchiveFacts = {
	id: string;
	createdAt: string;
	gameVersion: string | null;
	worlds: string[];
	withMods: boolean;
};

export type Totals = {
	/** Files, not folders and links. */
	files: number;
	/** All entries, and the manifest. */
	entries: number;
	/** Uncompressed, without headers. */
	bytes: number;
	worldBytes: number;
};

/** The part of a backup that is unpacked, besides being checked. Names are text. */
export type Selection =
	| { all: true }
	/** Everything at or below these paths. */
	| { below: string[] }
	/** Files in these folders whose name begins with one of these. */
	| { folders: string[]; prefixes: string[] };

export type MeasureJob = { kind: 'measure'; serverDir: string; roots: Root[]; never: string[] };
export type CreateJob = {
	kind: 'create';
	serverDir: string;
	roots: Root[];
	/** Folders that never enter an archive: our own. */
	never: string[];
	/** The archive being written, and next to it the lines of its manifest. */
	out: string;
	spill: string;
	facts: ArchiveFacts;
};
export type ReadJob = {
	kind: 'read';
	file: string;
	/** What it must be, as recorded when it was made. */
	expected: { bytes: number; manifestSha256: string; totals: Totals };
	/** Unpacks into this new folder, limited to `select`, for its owner; null only checks. */
	into: { dir: string; select: Selection; owner: { uid: number; gid: number } | null } | null;
};
export type Job = MeasureJob | CreateJob | ReadJob;

export type Measured = { bytes: number; files: number; worldBytes: number };
export type Created = {
	/** Of the archive. */
	archiveBytes: number;
	totals: Totals;
	manifestSha256: string;
	warnings: string[];
};
export type ReadBack = { unpacked: number };

export type Result<J extends Job> = J extends MeasureJob
	? Measured
	: J extends CreateJob
		? Created
		: ReadBack;

/** Sent to a job while it runs: pause for this long. */
export type Order = { type: 'rest'; ms: number };
/** Called with the progress; the work continues when it resolves. */
export type Progress = (bytes: number) => void | Promise<void>;

export type Message =
	| { type: 'progress'; done: number }
	| { type: 'done'; result: unknown }
	/** `bad`: the archive is not what it should be. `code`: the system's code for what failed. */
	| { type: 'failed'; message: string; bad: boolean; code: string | null };

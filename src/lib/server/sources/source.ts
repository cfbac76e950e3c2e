import type { DownloadOptions, RemoteFile } from '#core/net';
import type { LoaderBuild, ServerLoader } from '#schemas/software/software';

/** A file that is a server, or installs one. */
export type Artifact = RemoteFile & {
	/**
	 * `server`: a jar that is started. `launcher`: a jar that is started and downloads the game at its first start.
	 * `installer`: a jar that is run once with `--installServer`.
	 */
	kind: 'server' | 'launcher' | 'installer';
	/** What the jar must contain, besides being one: a file's name, and texts in it. */
	proof: { file: string; texts: string[] };
};

/** Where one kind of server comes from. Failures are `AppError('upstream' | 'timeout')`. */
export interface Source {
	readonly loader: ServerLoader;
	/** Ids of the game versions that it has a server for, in no particular order. */
	games(): Promise<string[]>;
	/** Newest first, without most of the old ones; none when the game version is not supported. */
	builds(game: string): Promise<LoaderBuild[]>;
	/** `AppError('not-found')`: there is no such build. */
	artifact(game: string, build: string): Promise<Artifact>;
	/** The lowest major version of Java that it needs; null when it does not say. */
	java(game: string): Promise<number | null>;
	/**
	 * Downloads to `to`, or leaves nothing there: checked against the checksum if one is published, and always for being
	 * the expected jar.
	 */
	download(artifact: Artifact, to: string, options: DownloadOptions): Promise<void>;
}

/** A server jar is 60 MB and growing. */
export const JAR_MAX_BYTES = 300 << 20;
/** How many builds of one game version are offered. */
export const BUILDS_MAX = 50;

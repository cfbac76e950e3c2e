import type { RecordAction } from '#core/actor';
import type { Clock } from '#core/clock';
import type { Retry } from '#core/retry-on-disk-error';
import type { Installation, Properties } from '#minecraft/folder';
import type { Javas } from '#minecraft/java';
import type { Countdown, Operations, ServerControl } from '#operations';
import type { ServerLoader } from '#schemas/software/software';
import type { Sources } from '#sources';

export type Deps = {
	serverDir: string;
	/** Why software cannot be changed from here, and which line to change by hand; null when it can. */
	refusal: string | null;
	installation: () => Promise<Installation>;
	sources: Sources;
	javas: Javas;
	operations: Pick<Operations, 'define' | 'run' | 'get' | 'busy'>;
	server: ServerControl;
	runInstaller: (installer: {
		jar: string;
		java: string;
		dir: string;
		proof: string;
		bare: boolean;
		signal: AbortSignal;
	}) => Promise<void>;
	hasSandbox: () => Promise<boolean>;
	/** Writes the agreement and the settings into a folder. */
	write: {
		eula: (dir: string) => Promise<void>;
		properties: (dir: string, values: Record<string, string>) => Promise<void>;
	};
	/** Mods that were set aside until there is a version for the game; nobody is asked over the network. */
	parked: () => Promise<{ fileName: string; title: string; since: string }[]>;
	/** Of a folder: null when the file cannot be read. */
	readProperties: (dir: string) => Promise<Pick<Properties, 'get'> | null>;
	/** The folders of the server and of the dashboard. */
	apart: string[];
	/** Resolves when everything written to that disk survives a power cut. */
	flush: (dir: string) => Promise<void>;
	/** The game's folder or its Java has changed. */
	changed: () => void;
	audit: RecordAction;
	clock: Clock;
	/** How long a rollback tries again when the disk refuses. Default: every 5 s, for 30 minutes. */
	retry?: Retry;
};

/** A server to create from nothing. */
export type Creation = {
	loader: ServerLoader;
	gameVersion: string;
	build: string;
	memoryMb: number;
	port: number;
	seed: string | null;
	motd: string | null;
	java: number;
	bare?: boolean;
};

/** Another build of the present loader. */
export type BuildChange = {
	loader: ServerLoader;
	gameVersion: string;
	from: string | null;
	build: string;
	java: number;
	/** Its installer runs without a sandbox, as the plan said. */
	bare?: boolean;
	/** The jar, or `libraries/…/unix_args.txt`, that is started now. */
	started: string;
	/** The new jar takes that name: it tells no version. */
	keepName?: boolean;
};

/** JSON, as operations store it. */
export type CreateInput = Creation & { by: string };
/** `countdown`: before a running server is stopped for it. */
export type ChangeInput = BuildChange & { by: string; countdown?: Countdown };

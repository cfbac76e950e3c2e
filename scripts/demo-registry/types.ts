import type { ModFault } from '../demo-server/seed/seed-mods.ts';
export type Channel = 'release' | 'beta' | 'alpha';
export type Support = 'required' | 'optional' | 'unsupported' | 'unknown';

export type FileInput = {
	name: string;
	bytes: Buffer;
	primary?: boolean;
	fileType?: string | null;
	/** Instead of our own address for it. */
	url?: string;
	/** What the registry claims, where that is not so. */
	size?: number;
	sha1?: string;
	sha512?: string;
};

export type DependencyInput = {
	projectId?: string | null;
	versionId?: string | null;
	fileName?: string | null;
	kind?: 'required' | 'optional' | 'incompatible' | 'embedded';
};

export type ProjectInput = {
	id?: string;
	slug: string;
	title?: string;
	description?: string;
	body?: string;
	author?: string;
	categories?: string[];
	clientSide?: Support;
	serverSide?: Support;
	/** The newer words; left out of the answers when not given. */
	environment?: string[];
	downloads?: number;
	follows?: number;
	license?: string;
	status?: string;
	projectType?: string;
	/** `true`: one that we draw; a text: this address; null and '' as they are. */
	icon?: boolean | string | null;
	published?: string;
};

export type VersionInput = {
	id?: string;
	number: string;
	name?: string;
	channel?: Channel;
	/** ISO. */
	publishedAt?: string;
	gameVersions?: string[];
	loaders?: string[];
	status?: string;
	changelog?: string | null;
	environment?: string;
	dependencies?: DependencyInput[];
	/** Without any, a jar is built for the first loader. */
	files?: FileInput[];
	/** The mod in that jar; its id is the slug unless told. */
	mod?: {
		id?: string;
		name?: string;
		version?: string;
		depends?: Record<string, string>;
		breaks?: Record<string, string>;
		provides?: string[];
		nested?: { file: string; bytes: Buffer }[];
		fault?: ModFault | undefined;
		faultWith?: string | undefined;
	};
};

export type StoredFile = {
	name: string;
	bytes: Buffer;
	url: string;
	primary: boolean;
	fileType: string | null;
	size: number;
	sha1: string;
	sha512: string;
};
export type Project = Required<Omit<ProjectInput, 'environment' | 'icon' | 'status'>> & {
	environment: string[] | null;
	icon: boolean | string | null;
	status: string;
};
export type Version = Required<
	Omit<VersionInput, 'files' | 'mod' | 'environment' | 'changelog'>
> & {
	projectId: string;
	files: StoredFile[];
	environment: string | null;
	changelog: string | null;
};

export type SeenRequest = {
	method: string;
	/** Path and query, as sent. */
	url: string;
	path: string;
	query: Record<string, string>;
	headers: Record<string, string | string[] | undefined>;
	body: unknown;
	/** Of the answer; null while there is none. */
	status: number | null;
};

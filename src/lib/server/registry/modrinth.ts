import { JAR_MAX_BYTES, ProjectId } from '#schemas/mod';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Logger } from '#core/log';
import { createLru } from '#core/lru';
import type { RegistryFile, RegistryPack, RegistryProject, RegistryVersion } from './facts.ts';
import { createIcons, type Icon } from './icons.ts';
import { createMemory, type Memory } from './response-cache.ts';
import { apiRule, fileRule } from './origins.ts';
import { createQuestions } from './queries.ts';
import type { HistoryFilter, LatestFilter, SearchAnswer, SearchInput } from './queries.ts';
import {
	createApi,
	createTransport,
	download,
	type Trouble,
	type DownloadOptions,
	type Transport
} from '#core/net';

export type { DownloadOptions, HistoryFilter, Icon, LatestFilter, RegistryFile, RegistryProject };
export type { RegistryPack, RegistryVersion, SearchAnswer, SearchInput, Trouble };

/**
 * The mod registry. Every method throws `AppError('upstream' | 'timeout')` when it cannot be reached; what was asked
 * before is then answered from memory. `latest` never is: an update must be certain to be one.
 */
export interface Registry {
	search(input: SearchInput): Promise<SearchAnswer>;
	/** Unknown ones are absent; in the order requested. `anew`: never from memory. */
	projects(ids: string[], options?: { anew?: boolean }): Promise<RegistryProject[]>;
	/** Newest first. Without `changelogs`, these are null. `AppError('not-found')`: no such project. */
	versionsOf(projectId: string, filter?: HistoryFilter): Promise<RegistryVersion[]>;
	/** Unknown ones are absent; in the order requested. */
	versions(ids: string[]): Promise<RegistryVersion[]>;
	/**
	 * The versions of these jars; `file` is exactly that jar. When the registry cannot be reached, all or nothing,
	 * unless `partial`: then those that are known from before. `anew`: never from memory.
	 */
	byHash(
		sha512s: string[],
		options?: { partial?: boolean; anew?: boolean }
	): Promise<Map<string, RegistryVersion>>;
	/** For each jar the newest version that fits: it may be the same one, or an older one. Always requested anew. */
	latest(sha512s: string[], filter: LatestFilter): Promise<Map<string, RegistryVersion>>;
	/**
	 * Downloads to a temp file beside `to`, verifies size and SHA-512, flushes it to disk, then renames it; nothing
	 * is left when it fails. `AppError` `upstream`, `timeout` or (our disk) `internal`; the signal's reason when
	 * aborted. Larger than a mod may be only with `maxBytes`.
	 */
	download(
		file: Pick<RegistryFile, 'fileName' | 'url' | 'size' | 'sha512'>,
		to: string,
		options: DownloadOptions & { maxBytes?: number }
	): Promise<void>;
	/** The versions of a pack, newest first. `AppError('not-found')`: no such project. */
	packsOf(projectId: string): Promise<RegistryPack[]>;
	/** Whether files are fetched from there; packs name all kinds of addresses. */
	fetchesFrom(url: string): Promise<boolean>;
	/** The type is taken from its bytes. Null when the project has no icon that we show. */
	icon(projectId: string): Promise<Icon | null>;
	close(): void;
}

export interface Modrinth extends Registry {
	/** Why facts may be missing or old, and since when; null while the registry answers. */
	trouble(): Trouble | null;
}

export type ModrinthDeps = {
	/** `https://api.modrinth.com/v2`, a mirror, or an address that is only known when it is needed. */
	baseUrl: URL | (() => Promise<URL>);
	/** Names the program and its version, as the registry demands. */
	userAgent: string;
	clock: Clock;
	log: Pick<Logger, 'info' | 'warn'>;
	/** For tests. */
	transport?: Transport;
};

const WHO = 'The mod registry';
const SETTING = 'MODRINTH_URL';
const MINUTE_MS = 60_000;
const PATIENCE_MS = 3_000;
const PATIENCE_IN_TROUBLE_MS = 200;
const ICON_ADDRESSES_MAX = 2_000;
const VERSION_ID = /^[A-Za-z0-9]{1,16}$/;
const SHA512 = /^[0-9a-f]{128}$/;
const ANYTHING: HistoryFilter = { loaders: [], gameVersion: null };

export function createModrinth(deps: ModrinthDeps): Modrinth {
	const { baseUrl, userAgent, clock, log } = deps;
	const base = async () => (baseUrl instanceof URL ? baseUrl : baseUrl());
	const transport = deps.transport ?? createTransport();
	const closing = new AbortController();
	const api = createApi({
		...{ who: WHO, setting: SETTING, base, rule: apiRule },
		...{ userAgent, transport, clock, log }
	});

	const iconAddresses = createLru<string, string>(ICON_ADDRESSES_MAX);
	const ask = createQuestions(api, (names, address) => {
		for (const name of names) if (name) iconAddresses.set(name, address ?? '');
	});

	const patienceMs = () => (api.trouble() ? PATIENCE_IN_TROUBLE_MS : PATIENCE_MS);
	const memory = <T>(max: number, minutes: number) =>
		createMemory<T>({ clock, max, freshMs: minutes * MINUTE_MS, patienceMs });
	const searches = memory<SearchAnswer>(50, 2);
	const projects = memory<RegistryProject>(1_000, 10);
	const histories = memory<RegistryVersion[]>(60, 5);
	const packs = memory<RegistryPack[]>(30, 5);
	const versions = memory<RegistryVersion>(1_000, 10);
	const jars = memory<RegistryVersion>(1_000, 30);

	const outside = { base, userAgent, transport, clock, closing: closing.signal };
	const icons = createIcons({
		...outside,
		async addressOf(projectId) {
			if (iconAddresses.get(projectId) === undefined) await projects.get([projectId], ask.projects);
			return iconAddresses.get(projectId) || null;
		}
	});

	return {
		async search(input) {
			const found = await one(searches, JSON.stringify(input), () => ask.search(input));
			return found ?? { total: 0, hits: [] };
		},
		async projects(ids, { anew = false } = {}) {
			const wanted = ids.filter(isProjectId);
			const found = anew ? ask.projects(wanted) : projects.get(wanted, ask.projects);
			return inOrder(wanted, await found);
		},
		async versionsOf(projectId, filter = ANYTHING) {
			if (!isProjectId(projectId)) throw new AppError('not-found', 'There is no such project.');
			const { loaders, gameVersion, changelogs = false } = filter;
			const name = JSON.stringify([projectId, loaders, gameVersion, changelogs]);
			return (await one(histories, name, () => ask.history(projectId, filter))) ?? [];
		},
		async versions(ids) {
			const wanted = ids.filter((id) => VERSION_ID.test(id));
			return inOrder(wanted, await versions.get(wanted, ask.versions));
		},
		async byHash(sha512s, { partial = false, anew = false } = {}) {
			const wanted = sha512s.filter(isHash);
			return anew ? ask.jars(wanted) : jars.get(wanted, ask.jars, partial);
		},
		latest: (sha512s, filter) => ask.latest([...new Set(sha512s.filter(isHash))], filter),
		async download({ fileName, url, size, sha512 }, to, options) {
			const rule = fileRule(await base());
			const hash = { algorithm: 'sha512', hex: sha512 } as const;
			const file = { fileName, url, size, hash, maxBytes: options.maxBytes ?? JAR_MAX_BYTES };
			const from = { rule, who: WHO, setting: SETTING };
			await download(file, to, options, { ...outside, ...from });
		},
		async packsOf(projectId) {
			if (!isProjectId(projectId)) throw new AppError('not-found', 'There is no such project.');
			return (await one(packs, projectId, () => ask.packs(projectId))) ?? [];
		},
		async fetchesFrom(url) {
			const at = URL.parse(url);
			if (!at) return false;
			try {
				fileRule(await base())(at, 0);
				return true;
			} catch (error) {
				if (error instanceof AppError && error.code === 'address-refused') return false;
				throw error;
			}
		},
		icon: async (projectId) => (isProjectId(projectId) ? icons(projectId) : null),
		trouble: api.trouble,
		close() {
			api.close();
			closing.abort(new AppError('upstream', 'Craftwarden is being stopped.'));
			transport.close();
		}
	};
}

/** For queries about a single thing. */
async function one<T>(memory: Memory<T>, key: string, load: () => Promise<T>) {
	return (await memory.get([key], async () => new Map([[key, await load()]]))).get(key);
}

const isHash = (text: string) => SHA512.test(text);
const isProjectId = (id: string) => ProjectId.safeParse(id).success;

const inOrder = <T>(ids: string[], found: Map<string, T>) =>
	[...new Set(ids)].flatMap((id) => found.get(id) ?? []);

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import { type Operation, OperationId, OperationState } from '#schemas/operation';
import { AppError, errno } from '#core/errors';
import { diskTrouble } from '#core/files';

export type Warn = (message: string, facts?: { cause?: unknown }) => void;

/** Recent entries are listed again and again; older ones are read when somebody asks. */
const CACHED = 100;
const FOLDER_TICK_MS = 100;
const NAME = /^(?<id>\d{8}T\d{9}Z-[0-9a-f]{4})(?<sealed>\.sealed)?\.json$/;

type Options<E> = { dir: string; schema: z.ZodType<E>; version: number; warn: Warn };
type Found = { id: string; sealed: boolean };

/** The reading half of the journal. What was read of an ended operation stays valid until this process writes it again. */
export function createJournalReader<E extends { operation: Operation }>(options: Options<E>) {
	const { dir, schema, version, warn } = options;
	const ended = new Set<string>();
	const cache = new Map<string, Operation>();
	const complained = new Set<string>();
	/** Formats of unfinished operations that a newer release has written. */
	const newer = new Map<string, number>();
	const fileOf = (id: string) => path.join(dir, `${OperationId.parse(id)}.json`);
	const sealedOf = (id: string) => path.join(dir, `${OperationId.parse(id)}.sealed.json`);

	const complain = (id: string, problem: string, cause?: unknown) => {
		if (complained.has(id)) return null;
		complained.add(id);
		warn(`The journal of operation ${id} ${problem}; it is left out.`, { cause });
		return null;
	};
	const failed = (id: string, cause: unknown) =>
		errno(cause) === 'ENOENT' ? null : complain(id, `cannot be read: ${diskTrouble(cause)}`, cause);
	const parse = (id: string, text: string, sealed: boolean): E | null => {
		let entry: E;
		let format: number | null = null;
		try {
			const content: unknown = JSON.parse(text);
			format = newerFormat(content, version);
			if (format !== null && !sealed && !hasEnded(content)) newer.set(id, format);
			entry = schema.parse(content);
		} catch (cause) {
			const problem =
				format === null ? 'is damaged' : `was written by a newer Craftwarden (format ${format})`;
			return complain(id, problem, cause);
		}
		if (sealed) markSealed(entry.operation);
		if (entry.operation.state !== 'running') ended.add(id);
		return entry;
	};
	const loadFrom = (id: string, sealed: boolean) =>
		readFile(sealed ? sealedOf(id) : fileOf(id), 'utf8').then(
			(text) => parse(id, text, sealed),
			(cause) => failed(id, cause)
		);
	const loadSync = ({ id, sealed }: Found) => {
		try {
			return parse(id, readFileSync(sealed ? sealedOf(id) : fileOf(id), 'utf8'), sealed);
		} catch (cause) {
			return failed(id, cause);
		}
	};
	const load = async (id: string) => (await loadFrom(id, false)) ?? loadFrom(id, true);
	const list = createListing(dir);

	const open = () =>
		list()
			.filter(({ id }) => !ended.has(id))
			.map(loadSync)
			.filter((entry): entry is E => entry?.operation.state === 'running');
	const newest = async (limit: number) => {
		const found: Operation[] = [];
		for (const { id, sealed } of list().toReversed()) {
			if (found.length >= limit) break;
			const operation = cache.get(id) ?? (await loadFrom(id, sealed))?.operation;
			if (!operation) continue;
			if (ended.has(id)) cache.set(id, operation);
			found.push(structuredClone(operation));
		}
		for (const id of [...cache.keys()].sort().slice(0, -CACHED)) cache.delete(id);
		return found;
	};
	return {
		fileOf,
		sealedOf,
		list,
		load,
		newest,
		open,
		refuseNewer() {
			newer.clear();
			open();
			const [id, format] = [...newer][0] ?? [];
			if (id === undefined) return;
			throw new AppError(
				'internal',
				`${fileOf(id)} was written by a newer Craftwarden (format ${format}, this one knows ${version}), ` +
					'and its operation has not ended. Update Craftwarden, or move the file away.',
				{ code: 'journal' }
			);
		},
		forget(id: string) {
			ended.delete(id);
			cache.delete(id);
			complained.delete(id);
		}
	};
}

function newerFormat(content: unknown, known: number): number | null {
	const { version } = (content ?? {}) as { version?: unknown };
	return typeof version === 'number' && version > known ? version : null;
}

/** As far as an entry in an unknown format says so. */
function hasEnded(content: unknown) {
	const { operation } = content as { operation?: { state?: unknown } | null };
	const state = OperationState.safeParse(operation?.state).data;
	return state !== undefined && state !== 'running';
}

/**
 * Entries oldest first; of an operation that was sealed and has an end of its own after all, the latter. Each write
 * is a rename, so while the folder's time does not change the last listing is valid.
 */
function createListing(dir: string) {
	let listed: Found[] = [];
	let listedAtMs = NaN;
	return () => {
		const changedMs = timeOf(dir);
		if (changedMs === null) return [];
		if (changedMs === listedAtMs) return listed;
		const sealedBy = new Map<string, boolean>();
		for (const name of namesIn(dir)) {
			const { id, sealed } = NAME.exec(name)?.groups ?? {};
			if (id && sealedBy.get(id) !== false) sealedBy.set(id, sealed !== undefined);
		}
		listed = [...sealedBy]
			.map(([id, sealed]) => ({ id, sealed }))
			.sort((a, b) => (a.id < b.id ? -1 : 1));
		// There may be another change within one tick of the file system's clock.
		listedAtMs = Date.now() - changedMs > FOLDER_TICK_MS ? changedMs : NaN;
		return listed;
	};
}

/**
 * The time of the folder's last change; null when there is no folder; NaN, which equals nothing, when it is unknown.
 */
function timeOf(dir: string) {
	try {
		return statSync(dir, { throwIfNoEntry: false })?.mtimeMs ?? null;
	} catch {
		return NaN; // the listing reports what is wrong
	}
}

function namesIn(dir: string) {
	try {
		return readdirSync(dir);
	} catch (error) {
		if (errno(error) === 'ENOENT') return [];
		throw new AppError('internal', `The journal could not be read: ${diskTrouble(error)}.`, {
			cause: error,
			code: 'journal'
		});
	}
}

function markSealed(operation: Operation) {
	operation.state = 'failed';
	operation.finishedAt ??=
		operation.steps
			.map(({ at }) => at)
			.sort()
			.at(-1) ?? operation.startedAt;
	operation.cause ??= {
		message: 'It ended while the disk could not be written, so its last steps are not recorded.',
		log: [],
		mods: []
	};
	for (const step of operation.steps) if (step.status === 'running') step.status = 'failed';
}

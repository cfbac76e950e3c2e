import { z } from 'zod';
import type { StateFile } from '#storage/state-file';

/** A version with which the server did not start, or did not stay up, and that was therefore rolled back. */
export const FailedVersion = z.object({
	/** In the registry. */
	projectId: z.string(),
	versionId: z.string(),
	version: z.string(),
	sha512: z.string(),
	gameVersion: z.string().nullable(),
	loader: z.string().nullable(),
	loaderVersion: z.string().nullable(),
	/** The operation that was rolled back. */
	operationId: z.string(),
	at: z.string(),
	/** No other mod changed with it. */
	alone: z.boolean(),
	/** Reproduced alone on this game and loader version, while the set without it started. */
	certain: z.boolean(),
	/** It failed on a copy only: the server was never stopped for it. Absent in older files. */
	onCopy: z.boolean().default(false),
	/** The set without this version was started in the same way, and came up. Absent in older files. */
	control: z.boolean().default(true),
	/** It had been ready for players by then. Absent in older files, and where it had not. */
	ready: z.boolean().optional()
});
export type FailedVersion = z.infer<typeof FailedVersion>;
type Server = Pick<FailedVersion, 'loader' | 'loaderVersion' | 'gameVersion'>;

/** `DATA_DIR/failed-versions.json`. */
export const FailedVersionsState = z.object({ failed: z.array(FailedVersion) });
export type FailedVersionsState = z.infer<typeof FailedVersionsState>;
export const FAILED_VERSION = 1;
export const FAILED_DEFAULTS: FailedVersionsState = { failed: [] };

/**
 * Whether "update all" passes this version over: its failure is certain, or it was seen on the running server itself and
 * no boot on a copy has judged it since: with a control, or because alone it came up and did not stay up. Any other failure may be due to the mods it was with, or to the server, and
 * another trial costs nobody anything.
 */
export const isLeftOut = ({ certain, onCopy, control, alone, ready }: FailedVersion) =>
	certain || (!onCopy && (control || (alone && ready === true)));

/** The failure of a file on the server as it is now; null when it is not known to have failed. */
export type FailureOf = (sha512: string | null) => FailedVersion | null;

/** What failed on this server, so that it is not offered again as if nothing had happened. */
export interface FailedVersions {
	/** On disk when it resolves. What is certain for the same server stays certain. */
	remember(failed: FailedVersion[]): Promise<void>;
	/** A person wants to try it again. Returns what was known about it; null when nothing was. */
	forget(versionId: string): Promise<FailedVersion | null>;
	/** What only failed together with others in that operation is no longer suspected; `guilty` are files. */
	acquit(operationId: string, guilty: string[]): Promise<void>;
	/** A different game or loader version invalidates a failure. */
	of(server: Server): Promise<FailureOf>;
	/** By the project in the registry: the last of its versions that failed on this server. */
	ofProjects(server: Server): Promise<ReadonlyMap<string, FailedVersion>>;
}

const KEPT_MAX = 1000;

export function createFailedVersions(state: StateFile<FailedVersionsState>): FailedVersions {
	/** The newest first. */
	async function failedOn(server: Server) {
		const { failed } = await state.read();
		return failed.filter((one) => serverOf(one) === serverOf(server));
	}
	return {
		async remember(failed) {
			await state.update((old) => failed.reduce(join, old));
		},
		async forget(versionId) {
			let known: FailedVersion | null = null;
			await state.update(({ failed }) => {
				known = failed.find((one) => one.versionId === versionId) ?? null;
				return { failed: failed.filter((one) => one.versionId !== versionId) };
			});
			return known;
		},
		async acquit(operationId, guilty) {
			const isFree = (one: FailedVersion) =>
				one.operationId === operationId && !one.certain && !guilty.includes(one.sha512);
			await state.update(({ failed }) => ({ failed: failed.filter((one) => !isFree(one)) }));
		},
		async of(server) {
			const known = new Map((await failedOn(server)).map((one) => [one.sha512, one]));
			return (sha512) => known.get(sha512 ?? '') ?? null;
		},
		async ofProjects(server) {
			const oldestFirst = (await failedOn(server)).toReversed();
			return new Map(oldestFirst.map((one) => [one.projectId, one]));
		}
	};
}

const serverOf = ({ loader, loaderVersion, gameVersion }: Server) =>
	JSON.stringify([loader, loaderVersion, gameVersion]);

function join({ failed }: FailedVersionsState, one: FailedVersion): FailedVersionsState {
	const isSame = (old: FailedVersion) =>
		old.sha512 === one.sha512 && serverOf(old) === serverOf(one);
	const known = failed.filter(isSame);
	const certain = one.certain || known.some((old) => old.certain || isReproduced(old, one));
	const others = failed.filter((old) => !isSame(old));
	// A failure with a control says more than one without.
	const says = one.control ? one : (known.find(({ control }) => control) ?? one);
	return { failed: [{ ...says, certain }, ...others].slice(0, KEPT_MAX) };
}

/** Both times it was the only change, and the set without it was started in the same way. */
const isReproduced = (old: FailedVersion, now: FailedVersion) =>
	old.operationId !== now.operationId &&
	[old, now].every(({ alone, control }) => alone && control) &&
	now.onCopy;

import type { Mod } from '#schemas/mod';
import type { Clock } from '#core/clock';
import { deadline } from '#core/deadline';
import type { ModsFolder } from '#minecraft/mods';
import type { Facts, RegistryFacts } from './facts.ts';
import type { FailedVersions } from './failures/index.ts';
import type { FlagStore } from './flags.ts';
import type { Known, ServerFacts } from './known.ts';

/** Reads what is in `mods/` and what is known of it. */
export interface Reader {
	/**
	 * `ask`: the registry is asked about what is new. It is waited for a moment only: what comes later is told by
	 * `onLate`, and there the next time; `patient` waits for it, and `insist` asks even right after a failure.
	 */
	read(wish: { ask: boolean; patient?: boolean; insist?: boolean }): Promise<Known>;
}

/** Joins what is known into what is shown. */
export type Join = (known: Omit<Known, 'mods'>) => Mod[];

export type ReaderDeps = {
	folder: Pick<ModsFolder, 'scan'>;
	installation: () => Promise<ServerFacts>;
	facts: RegistryFacts;
	flags: FlagStore;
	failures: Pick<FailedVersions, 'of'>;
	join: Join;
	onLate: () => void;
	log: { error(message: string, facts?: { cause?: unknown }): void };
	clock: Clock;
};

const PATIENCE_MS = 2_500;

export function createReader(deps: ReaderDeps): Reader {
	const { folder, installation, facts, flags, failures, join, clock, log } = deps;

	/** A registry that hangs does not keep a page waiting. */
	function askBriefly(hashes: string[]): Promise<Facts> {
		const asked = facts.of(hashes);
		return deadline(
			{ ms: PATIENCE_MS, clock },
			() => asked,
			async () => {
				asked.then(deps.onLate, (cause) =>
					log.error('Facts of the registry could not be kept', { cause })
				);
				const known = await facts.known();
				return { ...known, problem: known.problem ?? 'The registry has not answered yet.' };
			}
		);
	}

	return {
		async read({ ask, patient = false, insist = false }) {
			const [files, server] = await Promise.all([folder.scan(), installation()]);
			const hashes = files.flatMap(({ sha512 }) => sha512 ?? []);
			const question = () =>
				patient || insist ? facts.of(hashes, { insist }) : askBriefly(hashes);
			const found = await (ask && hashes.length ? question() : facts.known());
			const { loader, loaderVersion, gameVersion, java = null } = server;
			const known = {
				server: { loader, loaderVersion, gameVersion, java },
				files,
				versions: found.versions,
				projects: found.projects,
				flags: await flags.read(),
				failure: await failures.of(server),
				registryProblem: found.problem
			};
			return { ...known, mods: join(known) };
		}
	};
}

import type { FailedUpgrade } from '#schemas/mod';
import type { Operation } from '#schemas/operation';
import type { Operations } from '#operations';
import type { Candidate, FailedUpgrades } from './readiness.ts';
import type { GoBackInput } from './go-back/operation.ts';
import type { UpgradeInput } from './types.ts';

type Deps = {
	operations: Pick<Operations, 'list'>;
	/** What an operation was started with; null when nobody knows. */
	attempt: (id: string) => Promise<unknown>;
};

/** The steps in which the new game runs: what fails before them says nothing about it. */
const BOOTS = ['trial', 'restart', 'verify'];

/** What did not go well here, for as long as the game's build and the mods are the same. */
export async function failedUpgrades({ operations, attempt }: Deps): Promise<FailedUpgrades> {
	const ended = (await operations.list()).filter(
		({ state }) => state !== 'running' && state !== 'cancelled'
	);
	const upgrades = ended.filter(({ kind }) => kind === 'upgrade');
	const last = upgrades.filter(
		(one, i) => upgrades.findIndex(({ subject }) => subject === one.subject) === i
	);
	const failed = await Promise.all(
		last.filter(didNotStart).map(async (operation) => ({
			operation,
			input: (await attempt(operation.id)) as UpgradeInput | null
		}))
	);
	const left = await Promise.all(
		ended.filter(wentBack).map(async (operation) => {
			const how = (await attempt(operation.id)) as GoBackInput | null;
			const input = how && ((await attempt(how.kept)) as UpgradeInput | null);
			return { operation, input: input ?? null };
		})
	);
	return {
		key: [...failed, ...left].map(({ operation }) => operation.id).join(),
		of(candidate) {
			const found = failed.find(({ input }) => input && isSame(input, candidate));
			return found?.input ? told(found.operation, found.input) : null;
		},
		wentBack(candidate) {
			const found = left.find(({ input }) => input && isSame(input, candidate));
			if (!found) return undefined;
			const { id, startedAt, finishedAt } = found.operation;
			return { operationId: id, at: finishedAt ?? startedAt };
		}
	};
}

/** Also one that goes forward again: what it leads to is installed then, and not offered. */
const wentBack = ({ kind, state }: Operation) => kind === 'go-back' && state === 'succeeded';

const didNotStart = ({ state, steps }: Operation) =>
	(state === 'failed' || state === 'rolled-back') &&
	steps.some(({ id, status }) => status === 'failed' && BOOTS.includes(id));

function isSame({ target, change }: UpgradeInput, { installed, wanted, ...to }: Candidate) {
	if (target.gameVersion !== to.gameVersion || target.build !== to.build) return false;
	const before = Object.entries(change.before).filter(([name]) => name.endsWith('.jar'));
	const then = new Set(before.map(([, sha512]) => sha512));
	const known = new Set([...then, ...change.put.map(({ sha512 }) => sha512)]);
	return (
		then.size === new Set(installed).size &&
		installed.every((sha512) => sha512 !== null && then.has(sha512)) &&
		wanted.every((sha512) => known.has(sha512))
	);
}

/** A report may name a jar, which is not installed any more. */
function told(
	{ id, startedAt, finishedAt, cause }: Operation,
	{ change }: UpgradeInput
): FailedUpgrade {
	const titleOf = (mod: string) =>
		change.put.find(({ fileName }) => fileName === mod)?.title ?? cause?.titles?.[mod] ?? mod;
	return { operationId: id, at: finishedAt ?? startedAt, mods: (cause?.mods ?? []).map(titleOf) };
}

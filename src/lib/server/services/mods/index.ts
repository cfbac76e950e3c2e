import type { Role } from '#schemas/common';
import type {
	CulpritRequest,
	InstalledMods,
	Mod,
	ModHits,
	ModInstall,
	ModPatch,
	ModProject,
	ModRemove,
	ModSearch,
	ModUpdate,
	ModUpdates,
	ModWish,
	ParkedHere,
	ParkedMod,
	Plan,
	PlanAgreement,
	PlanRequest
} from '#schemas/mod';
import type { Operation } from '#schemas/operation';
import { isOffered } from '#schemas/plain/offered';
import type { Actor, RecordAction } from '#core/actor';
import { AppError } from '#core/errors';
import { createPlanCache } from '#core/plan-cache';
import { createTtlValue } from '#core/ttl-cache';
import type { Icon, Registry } from '#registry';
import type { Trials } from '#trial';
import type { ModChanges } from './change/index.ts';
export type { Failed } from './change/index.ts';
import type { CulpritOffer, Culprits } from './culprit/index.ts';
import { createExecution, type ExecutionDeps, type Switch } from './execution.ts';
import type { Inventory } from './inventory.ts';
import type { Known } from './known.ts';
import type { Parked } from './parked.ts';
import { createPatch } from './patch.ts';
import { makePlan } from './plan/index.ts';
import { createSearch } from './search.ts';
import { createUpdates } from './updates.ts';
import type { Upload } from './upload.ts';
import { createWishes } from './wish.ts';

export {
	createModChanges,
	createPacks,
	createRestoreStart,
	createWithdrawn,
	createDuplicateCheck,
	createTwinsCheck
} from './change/index.ts';
export type { CulpritOffer } from './culprit/index.ts';
export {
	createCulpritAuto,
	createCulprits,
	createPreflight,
	findCulprits,
	mostBoots,
	type Group
} from './culprit/index.ts';
export { createInventory } from './inventory.ts';
export { FACTS_DEFAULTS, FACTS_VERSION, FactsState } from './facts-state.ts';
export { FAILED_DEFAULTS, FAILED_VERSION, FailedVersionsState } from './failures/index.ts';
export { FLAGS_DEFAULTS, FLAGS_VERSION, FlagsState } from './flags.ts';
export {
	createParked,
	PARKED_DEFAULTS,
	PARKED_VERSION,
	ParkedState,
	type Parked
} from './parked.ts';
export { createModsForGame, type ModsForGame, type SetForGame } from './for-game.ts';
export { loadersFor } from './target.ts';
export { jarProblem } from './plan/index.ts';
export { setOf } from './known.ts';

export const CACHE_MS = 10_000;
const PLANS_MAX = 200;

/**
 * The mods of the server: what is installed, what could be, and every way to change it. Changes are planned, run as
 * operations, and end with the new set or the old one. AppError `upstream`, `timeout` when the registry is needed and
 * cannot be used.
 */
export interface Mods {
	/** Cached 10 s; without the registry it says so and gives what is known. */
	list(): Promise<InstalledMods>;
	/** What is in the folder as it is now, by what is known here: the registry is not asked. */
	here(): Promise<Mod[]>;
	/** What this server can load. AppError `conflict` for a server without mods. */
	search(asked: ModSearch): Promise<ModHits>;
	/** By id or slug. AppError `not-found`. */
	project(id: string): Promise<ModProject>;
	/** AppError `not-found`. */
	icon(projectId: string): Promise<Icon>;
	/** A version that did not start here is offered like any other again. AppError `not-found`. */
	forgetFailure(versionId: string, by: Actor): Promise<void>;
	/** At most 30 minutes old unless `refresh`; an outage is said in each mod's `error`. */
	updates(refresh: boolean): Promise<ModUpdates>;
	/**
	 * What a request comes to, kept for 30 minutes under its id. AppError `not-found`, `invalid`, `forbidden` (locked),
	 * `conflict`; what would not work is a blocking warning.
	 */
	plan(request: PlanRequest, role: Role): Promise<Plan>;
	/** The same for what the address of a preview asks for. */
	preview(wish: ModWish, role: Role): Promise<Plan>;
	/** Does what was previewed. Errors as of `install`. */
	fulfil(wish: ModWish, agreed: PlanAgreement, by: Actor): Promise<Operation>;
	/**
	 * With `planId` exactly that plan, or AppError `conflict` with code `plan-changed`; without, it is planned here.
	 * `conflict` too when the plan is blocked (`plan-blocked`), there is nothing to do (`nothing-to-do`), or another
	 * operation is in progress; `forbidden` for a locked mod.
	 */
	install(input: ModInstall, by: Actor): Promise<Operation>;
	update(input: ModUpdate, by: Actor): Promise<Operation>;
	remove(input: ModRemove, by: Actor): Promise<Operation>;
	/** Null when it needed no operation: locks, and jars that may be shared. */
	patch(input: ModPatch, by: Actor): Promise<Operation | null>;
	/** Several files in one go. */
	switchFiles(input: Switch, by: Actor): Promise<Operation>;
	/** Mods that were set aside because they had no version for the game. */
	parked(): Promise<ParkedMod[]>;
	/** The same by what is on the disk alone: which of them are back is not asked. */
	parkedHere(): Promise<ParkedHere[]>;
	/** Checked like a downloaded jar. AppError `invalid`, `too-large`, `malformed`, `conflict`. */
	upload(file: Upload, by: Actor): Promise<Operation>;
	/** Whether sets of mods can be started on a copy here: `problem` says why not, `note` what people should know. */
	trials(): Promise<{ problem: string | null; note: string | null }>;
	/** What a search for the mods to blame would take after an operation, or the one that there was. */
	culpritOffer(operation: Operation): Promise<CulpritOffer>;
	/** Searches for the mods to blame. Errors as of `Culprits.start`. */
	culprit(request: CulpritRequest, by: Actor): Promise<Operation>;
	/** The folder has changed. */
	invalidate(): void;
	/** Ends uploads that are under way. */
	close(): void;
}

export type Deps = Omit<
	ExecutionDeps,
	'plan' | 'plans' | 'read' | 'readFor' | 'newest' | 'learn'
> & {
	registry: Registry;
	changes: Pick<ModChanges, 'run' | 'whyNoTrial'>;
	/** Why the mods cannot be changed at all, in a sentence. */
	untouchable: () => Promise<string | null>;
	culprits: Pick<Culprits, 'start' | 'offer'>;
	trials: Pick<Trials, 'problem' | 'note'>;
	inventory: Inventory;
	parked: Parked;
	/** A jar may be shared now, or not any more. */
	repack: () => void;
	audit: RecordAction;
};

export function createMods(deps: Deps): Mods {
	const { registry, inventory, clock } = deps;
	const { facts, flags, failures } = inventory;
	const cached = createTtlValue<Known>(CACHE_MS, clock);
	const invalidate = cached.forget;
	const updates = createUpdates({ registry, facts, clock });
	const { search, project } = createSearch({ registry, failures });
	const plans = createPlanCache<PlanRequest>({ clock, max: PLANS_MAX });
	const read = () => inventory.read({ ask: true });
	/** What the registry has to say of a change is not planned on half of it. AppError `upstream`. */
	async function readFor({ update, install }: PlanRequest): Promise<Known> {
		if (!update?.length && !install?.length) return read();
		const known = await inventory.read({ ask: true, insist: true });
		if (known.registryProblem !== null) throw new AppError('upstream', known.registryProblem);
		return known;
	}
	const recent = () => cached.load(read);
	const planDeps = { registry, newest: updates.newest, satisfies: deps.satisfies };
	const planned = async (wish: Parameters<typeof makePlan>[1]) => {
		const why = await deps.untouchable();
		if (why) throw new AppError('conflict', why);
		return makePlan(planDeps, wish);
	};
	const execution = createExecution({
		...deps,
		plans,
		read,
		readFor,
		newest: updates.newest,
		learn: facts.learn,
		plan: planned
	});
	const listUpdates: Mods['updates'] = async (refresh) =>
		updates.list(await inventory.read({ ask: false }), refresh);

	async function newer(): Promise<string[]> {
		const { mods, checkedAt } = await listUpdates(false);
		const [first] = mods;
		if (checkedAt === null && first?.error) throw new AppError('upstream', first.error);
		return mods.filter(isOffered).map(({ fileName }) => fileName);
	}

	const plan: Mods['plan'] = async (request, role) => {
		const mayTouchLocked = role === 'superadmin';
		const wish = { request, known: await readFor(request), mayTouchLocked, changelogs: true };
		const { plan, change } = await planned(wish);
		plans.keep(request, plan.id);
		const why = await deps.changes.whyNoTrial(change);
		return { ...plan, trial: { will: why === null, why } };
	};

	const { update, remove, switchFiles, upload } = execution;
	const wishes = createWishes({
		...{ install: execution.install, update, remove, switchFiles, newer, preview: plan },
		read: () => inventory.read({ ask: false }),
		parked: deps.parked
	});

	const patch = createPatch({
		...deps,
		flags,
		read,
		invalidate,
		switchFiles,
		park: wishes.park
	});

	return {
		async list() {
			const known = await recent();
			const { server, mods, registryProblem } = known;
			const { loader, loaderVersion, gameVersion } = server;
			const parked = await deps.parked.here(known);
			return { loader, loaderVersion, gameVersion, mods, parked, registryProblem };
		},
		here: async () => (await inventory.read({ ask: false })).mods,
		search: async (asked) => search(asked, await recent()),
		project: async (id) => project(id, await recent()),
		async icon(projectId) {
			const icon = await registry.icon(projectId);
			if (!icon) throw new AppError('not-found', 'This project has no icon.');
			return icon;
		},
		updates: listUpdates,
		async forgetFailure(versionId, by) {
			const known = await failures.forget(versionId);
			if (!known) throw new AppError('not-found', 'Nothing is held against this version any more.');
			await deps.audit(by, 'mods.forget-failure', {
				subject: known.projectId,
				detail: known.version
			});
			invalidate();
		},
		plan,
		preview: async (wish, role) => plan(await wishes.requestOf(wish), role),
		fulfil: wishes.fulfil,
		install: ({ projectId, versionId, ...agreed }, by) =>
			execution.install([{ projectId, versionId }], agreed, by),
		update,
		remove,
		patch,
		switchFiles,
		async parked() {
			const known = await inventory.read({ ask: false });
			const { mods } = await updates.list(known, false);
			const newer = mods.filter(({ updateAvailable }) => updateAvailable);
			return deps.parked.list(known, new Set(newer.map(({ fileName }) => fileName)));
		},
		parkedHere: async () => deps.parked.here(await inventory.read({ ask: false })),
		upload,
		trials: async () => ({ problem: await deps.trials.problem(), note: await deps.trials.note() }),
		culprit: deps.culprits.start,
		culpritOffer: deps.culprits.offer,
		invalidate,
		close: execution.close
	};
}

import type { Actor } from '#core/actor';
import { freePortFrom } from '#core/net';
import { createPlanCache, PLAN_KEPT_MS } from '#core/plan-cache';
import { beginAudited, countdownOf } from '#operations';
import type { Operation } from '#schemas/operation';
import type {
	ListAge,
	Software,
	SoftwareApply,
	SoftwareChoices,
	SoftwarePlan,
	SoftwareVersions,
	SoftwareWish,
	PackChoice,
	PackHit,
	ServerLoader,
	UploadFields
} from '#schemas/software/software';
import {
	PORT,
	bestOf,
	planChange,
	planCreate,
	requireEmpty,
	usualMemoryMb,
	type Draft
} from './plan.ts';
import { createParts, type SoftwareParts } from './parts.ts';
import { defineChange, defineCreate, defineJava } from './steps.ts';
import { occupied } from './exchange.ts';
import { titleOf } from './layout.ts';
import { tidy } from './tidy.ts';
import { findPacks, packChoice } from './import/find.ts';
import { planImport, type ImportDraft } from './import/plan.ts';
import {
	chosenFolder,
	discardPack,
	fetchPack,
	receivePack,
	type PackUpload
} from './import/staging.ts';
import { defineImport } from './import/steps.ts';
import type { ImportDeps } from './import/types.ts';

export {
	IMPORTED_PACK_DEFAULTS,
	IMPORTED_PACK_VERSION,
	ImportedPackState
} from './import/types.ts';

export type { SoftwareParts } from './parts.ts';

/** The server's software: game, loader and Java; how one is created and how its build is changed. */
export interface SoftwareService {
	state(): Promise<Software>;
	/** Why nothing can be created here; null when something can. */
	occupied(): Promise<string | null>;
	/** Why software cannot be changed from here, and what to do by hand; null when it can. */
	readonly refusal: string | null;
	/** What a new server gets unless somebody says otherwise. */
	usualMemoryMb(): Promise<number>;
	/** 25565, or the next port that nothing here uses. */
	usualPort(): Promise<number>;
	/** The newest game versions and their builds. */
	versions(loader: ServerLoader): Promise<SoftwareVersions>;
	/** For a form: the games, the requested one or else the newest release, and its builds. */
	choices(loader: ServerLoader, wanted: string | null): Promise<SoftwareChoices>;
	/** Why what is told of versions is old, and from when it is; null when it is not. */
	trouble(loader: ServerLoader): Promise<ListAge | null>;
	plan(wish: SoftwareWish): Promise<SoftwarePlan>;
	/** Of a pack that somebody sends; `fields` is asked for when it has come. */
	planUpload(upload: PackUpload, fields: () => Promise<UploadFields>): Promise<SoftwarePlan>;
	/** Packs of the registry that can be imported. */
	findPacks(q: string): Promise<PackHit[]>;
	/** One pack and its versions, newest first. `AppError('not-found')`. */
	packChoice(projectId: string): Promise<PackChoice>;
	/** Does exactly what was planned. `AppError('not-found')`: the plan is too old. */
	apply(wish: SoftwareApply, by: Actor): Promise<Operation>;
	/** A recent plan. */
	planned(planId: string): Promise<SoftwarePlan | null>;
	fetchJava(major: number, by: Actor): Promise<Operation>;
	/** Before operations run or are recovered. */
	define(): void;
	/** After the recovery: removes what killed processes left and nobody needs any more. */
	tidy(): Promise<void>;
	/** For an operation that exchanges more than the software. */
	readonly parts: SoftwareParts;
}

const PLANS_MAX = 50;
/** By then, an operation whose plan was applied at the last moment has begun. */
const EXPIRED_MS = 60_000;
const KINDS = { create: 'create', import: 'import', change: 'change-software' } as const;
/** Older game versions are listed without requesting their builds one by one. */
const GAMES_MAX = 30;

export function createSoftware(
	needs: Omit<ImportDeps, 'packsInUse'> & { javaOf: (game: string) => number | null }
): SoftwareService {
	const deps = { ...needs, packsInUse: { archives: new Set<string>(), reading: 0 } };
	const { sources, javas, operations, audit, installation, refusal, javaOf, clock } = deps;
	const plans = createPlanCache<Draft | ImportDraft>({ clock, max: PLANS_MAX });
	const subjectOf = (draft: Draft | ImportDraft) =>
		draft.do === 'import' ? draft.what.staged.title : titleOf(draft.what);
	const shown = (id: string, draft: Draft | ImportDraft): SoftwarePlan => ({
		...{ id, subject: subjectOf(draft) },
		...draft.words
	});
	async function expire(draft: Draft | ImportDraft) {
		await clock.sleep(PLAN_KEPT_MS + EXPIRED_MS, deps.closing);
		const archive = draft.do === 'import' && draft.what.staged.archive;
		if (archive) deps.packsInUse.archives.delete(archive);
		await tidy(deps);
	}
	const keep = (draft: Draft | ImportDraft) => {
		void expire(draft).catch(() => {}); // at shutdown, or when the disk fails: the next start removes it
		return shown(plans.keep(draft), draft);
	};

	return {
		refusal,
		parts: createParts(deps),
		usualMemoryMb: async () => usualMemoryMb(),
		async state() {
			const [{ loader, loaderVersion, gameVersion }, found] = await Promise.all([
				installation(),
				javas.found()
			]);
			const required = gameVersion === null ? null : javaOf(gameVersion);
			const chosen = required === null ? null : await javas.choose(required);
			const told = ({ version, path }: { version: string; path: string }) => ({ version, path });
			return {
				...{ loader, loaderVersion, gameVersion },
				java: {
					...{ required, chosen: chosen && told(chosen) },
					found: found.map((java) => ({
						...told(java),
						tooOld: required !== null && java.major < required
					}))
				},
				parked: (await deps.parked()).map(({ fileName, title, since }) => ({
					fileName,
					title,
					since
				}))
			};
		},
		usualPort: () => freePortFrom(PORT),
		occupied: () => occupied(deps.serverDir),
		async versions(loader) {
			const games = (await sources.games(loader)).slice(0, GAMES_MAX);
			const builds = await sources.buildsOf(
				loader,
				games.map(({ id }) => id)
			);
			return { games: games.filter(({ id }) => bestOf(builds[id] ?? [])), builds };
		},
		async choices(loader, wanted) {
			const games = await sources.games(loader);
			const game =
				games.find(({ id }) => id === wanted) ??
				games.find(({ type }) => type === 'release') ??
				null;
			const builds = game ? await sources.of(loader).builds(game.id) : [];
			return { games, game: game?.id ?? null, builds, memoryMb: usualMemoryMb() };
		},
		async trouble(loader) {
			const { listsFrom, message } = sources.trouble(loader) ?? {};
			return listsFrom && message ? { listsFrom, message } : null;
		},
		async plan(wish) {
			if (wish.do === 'create') return keep(await planCreate(wish, deps));
			if (wish.do === 'change') return keep(await planChange(wish, deps));
			await requireEmpty(deps);
			const { folder, projectId = '', versionId } = wish;
			const staged = folder
				? await chosenFolder(folder, deps)
				: await fetchPack({ projectId, versionId }, deps);
			return keep(await planImport(staged, wish, deps));
		},
		async planUpload(upload, fields) {
			await requireEmpty(deps);
			const staged = await receivePack(upload, deps);
			const wish = await fields().catch(async (error) => {
				await discardPack(staged, deps);
				throw error;
			});
			return keep(await planImport(staged, wish, deps));
		},
		findPacks: (q) => findPacks(q, deps),
		packChoice: (projectId) => packChoice(projectId, deps),
		async planned(id) {
			const draft = plans.find(id);
			return draft ? shown(id, draft) : null;
		},
		async apply({ planId, ...when }, by) {
			const draft = plans.get(planId);
			const { what, do: kind } = draft;
			const subject = subjectOf(draft);
			const countdown = kind === 'change' ? countdownOf(when) : null;
			return beginAudited({ by, action: `software.${kind}`, subject }, audit, async () => {
				const input = { ...what, by: by.name, ...(countdown && { countdown }) };
				const operation = await operations.run(KINDS[kind], input, by, subject);
				plans.forget(planId);
				if (kind !== 'change')
					await audit(by, 'setup.eula', {
						subject: operation.id,
						detail: `Minecraft EULA (https://aka.ms/MinecraftEULA) as of ${clock.now().toISOString().slice(0, 10)}, for ${subject}`
					});
				return operation;
			});
		},
		fetchJava: (major, by) =>
			beginAudited({ by, action: 'software.java', subject: `Java ${major}` }, audit, () =>
				operations.run('java', { major }, by, `Java ${major}`)
			),
		tidy: () => tidy(deps),
		define() {
			// A server created from nothing does not come from a pack.
			const forgetPack = () => deps.imported.update(() => ({ pack: null }));
			operations.define(defineCreate(deps, forgetPack));
			operations.define(defineImport(deps));
			operations.define(defineChange(deps));
			operations.define(defineJava(deps));
		}
	};
}

import { randomBytes } from 'node:crypto';
import type { Actor } from '#core/actor';
import { AppError } from '#core/errors';
import { createTtlMap } from '#core/ttl-cache';
import type { Operation } from '#schemas/operation';
import type {
	ListAge,
	Software,
	SoftwareChoices,
	SoftwarePlan,
	SoftwareVersions,
	SoftwareWish,
	ServerLoader
} from '#schemas/software/software';
import { bestOf, planChange, planCreate, usualMemoryMb, type Draft } from './plan.ts';
import { createParts, type SoftwareParts } from './parts.ts';
import { defineChange, defineCreate, defineJava } from './steps.ts';
import { occupied } from './exchange.ts';
import { titleOf } from './layout.ts';
import type { Deps } from './types.ts';

export type { SoftwareParts } from './parts.ts';

/** What the server is made of: game, loader and Java; how one is created and how its build is changed. */
export interface SoftwareService {
	state(): Promise<Software>;
	/** Why nothing can be created here; null when something can. */
	occupied(): Promise<string | null>;
	/** Why software cannot be changed from here, and what to do by hand; null when it can. */
	readonly refusal: string | null;
	/** The newest game versions and their builds. */
	versions(loader: ServerLoader): Promise<SoftwareVersions>;
	/** For a form: the games, the one that is wanted or else the newest release, and its builds. */
	choices(loader: ServerLoader, wanted: string | null): Promise<SoftwareChoices>;
	/** Why what is told of versions is old, and from when it is; null when it is not. */
	trouble(loader: ServerLoader): Promise<ListAge | null>;
	plan(wish: SoftwareWish): Promise<SoftwarePlan>;
	/** `AppError('not-found')`: the plan is too old. Exactly what was planned is done. */
	apply(planId: string, by: Actor): Promise<Operation>;
	/** A plan that was made a moment ago. */
	planned(planId: string): Promise<SoftwarePlan | null>;
	fetchJava(major: number, by: Actor): Promise<Operation>;
	/** Before operations run or are recovered. */
	define(): void;
	/** For an operation that exchanges more than the software. */
	readonly parts: SoftwareParts;
}

const PLANS_MAX = 50;
const PLAN_MS = 30 * 60_000;
/** Older game versions are told without asking for their builds one by one. */
const GAMES_MAX = 30;

export function createSoftware(
	deps: Deps & { javaOf: (game: string) => number | null }
): SoftwareService {
	const { sources, javas, operations, audit, installation, refusal, javaOf, clock } = deps;
	const plans = createTtlMap<string, Draft>({ ttlMs: PLAN_MS, max: PLANS_MAX, clock });
	const shown = (id: string, { words }: Draft): SoftwarePlan => ({ id, ...words });

	return {
		refusal,
		parts: createParts(deps),
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
				java: { required, chosen: chosen && told(chosen), found: found.map(told) },
				parked: (await deps.parked()).map(({ fileName, title, since }) => ({
					fileName,
					title,
					since
				}))
			};
		},
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
			const draft = await (wish.do === 'create' ? planCreate(wish, deps) : planChange(wish, deps));
			const id = randomBytes(16).toString('hex');
			plans.set(id, draft);
			return shown(id, draft);
		},
		async planned(id) {
			const draft = plans.get(id);
			return draft ? shown(id, draft) : null;
		},
		async apply(planId, by) {
			const draft = plans.get(planId);
			if (!draft)
				throw new AppError('not-found', 'This plan is too old or is done already. Make it again.');
			const { what } = draft;
			const subject = titleOf(what);
			const operation =
				draft.do === 'create'
					? await operations.run('create', { ...what, by: by.name }, by, subject)
					: await operations.run('change-software', { ...what, by: by.name }, by, subject);
			plans.forget(planId);
			if (draft.do === 'create')
				await audit(by, 'setup.eula', {
					subject: operation.id,
					detail: `Minecraft EULA (https://aka.ms/MinecraftEULA) as of ${clock.now().toISOString().slice(0, 10)}, for ${subject}`
				});
			const action = draft.do === 'create' ? 'software.create' : 'software.change';
			await audit(by, action, { subject: operation.id, detail: subject });
			return operation;
		},
		async fetchJava(major, by) {
			const operation = await operations.run('java', { major }, by, `Java ${major}`);
			await audit(by, 'software.java', { subject: operation.id, detail: `Java ${major}` });
			return operation;
		},
		define() {
			operations.define(defineCreate(deps));
			operations.define(defineChange(deps));
			operations.define(defineJava(deps));
		}
	};
}

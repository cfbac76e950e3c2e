import { constants, type Stats } from 'node:fs';
import { chmod, copyFile, lstat, mkdir } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Plan, PlanItem } from '#schemas/mod';
import { AppError } from '#core/errors';
import type { JarFacts } from '#minecraft/mods';
import type { StepContext } from '#operations';
import type { Registry, RegistryVersion } from '#registry';
import type { TrialGame } from '#trial';
import {
	afterwards,
	compareOnCopy,
	createDownloads,
	differs,
	filesOf,
	jarsAfter,
	planChanged,
	type ModChange,
	type ModChangeDeps
} from './change/index.ts';
import { filesAfter, newOnGame, overridden, type Rules } from './culprit/index.ts';
import type { Inventory } from './inventory.ts';
import { setOf, type Known, type ServerFacts } from './known.ts';
import type { Parked } from './parked.ts';
import { makePlan, type Rules as PlanRules } from './plan/index.ts';
import { loadersFor } from './target.ts';
import { factsOf } from './upload.ts';

/** What of the installed mods comes along to another game version. */
export type SetForGame = {
	change: ModChange;
	updated: PlanItem[];
	added: PlanItem[];
	/** Nothing to download: what is here was marked for that game. */
	asItIs: string[];
	/** Disabled; `reason` of those that only go because another one does. */
	parked: PlanItem[];
	/** What the world may lose without the parked ones; null when nothing. */
	content: string | null;
	/** Why it cannot be done, each in a sentence. */
	blocking: string[];
	notes: string[];
	downloadBytes: number;
};

type Wish = {
	to: ServerFacts;
	/** Enabled files. */
	park: string[];
	/** By sha512 of what is installed: the version for that game. */
	versions: ReadonlyMap<string, RegistryVersion>;
};

/** The mods of a server that goes to another game version. */
export interface ModsForGame {
	/** What cannot stay when these are set aside, and what that takes with it. */
	parkedWith(park: string[]): Promise<PlanItem[]>;
	/** AppError `upstream`, `timeout`. */
	plan(wish: Wish): Promise<SetForGame>;
	/** File name to sha512 of all that count as mods. */
	current(): Promise<Record<string, string>>;
	/** `AppError('conflict')` when mods/ is not what was planned for; with `after`, what was planned to come of it. */
	ensure(change: ModChange, after?: boolean): Promise<void>;
	/** Downloads them, and reads what they say themselves. AppError `conflict`: they do not fit together. */
	bring(ctx: StepContext, change: ModChange, to: ServerFacts): Promise<void>;
	/** Whether any mod will be loaded afterwards. */
	loads(change: ModChange): boolean;
	/** Starts that game with them on a copy; `OperationFailure` when it starts only without mods. */
	tryOut(ctx: StepContext, change: ModChange, game: TrialGame): Promise<void>;
	/** Lays them out as they will lie in the server's folder. */
	layOut(operation: string, change: ModChange, dir: string): Promise<void>;
	/** What comes and goes, as paths in the server's folder. */
	exchange(change: ModChange): { put: string[]; take: string[] };
	/** Downloads that are not needed any more. */
	discard(operation: string): Promise<unknown>;
	/** Remembers those that were set aside, so that they are offered when they are back. */
	rememberParked(fileNames: string[]): Promise<void>;
}
type Deps = Parameters<typeof createDownloads>[0] & {
	inventory: Inventory;
	registry: Registry;
	satisfies: PlanRules['satisfies'];
	readJar: (handle: FileHandle) => Promise<JarFacts>;
	current: () => Promise<Record<string, string>>;
	parked: Pick<Parked, 'add'>;
	modsDir: string;
	serverDir: string;
	changed: () => void;
} & Pick<ModChangeDeps, 'trials' | 'clock'>;

/** The game may run as another user of the same group. */
const JAR_MODE = 0o644;
const MODS = 'mods';

export function createModsForGame(deps: Deps): ModsForGame {
	const { inventory, registry, satisfies, readJar, current, modsDir, serverDir } = deps;
	const downloads = createDownloads(deps);
	const read = () => inventory.read({ ask: false });
	const rulesFor = async (server: ServerFacts): Promise<Rules> => ({
		...{ server, satisfies },
		overridden: await overridden(serverDir)
	});
	const both = async (known: Known, to: ServerFacts) => ({
		before: { files: known.files, rules: await rulesFor(known.server) },
		rules: await rulesFor(to)
	});

	/** Those that cannot stay without them go too. */
	async function withDependents(known: Known, park: string[]) {
		const asked: PlanItem[] = [];
		if (!park.length) return { names: park, dependents: asked, world: null };
		for (let names = park; ;) {
			const { plan } = await planOf({ remove: names }, known, registry);
			if (!plan.dependents.length) return { names, dependents: asked, world: plan.world };
			asked.push(...plan.dependents);
			names = [...names, ...plan.dependents.map(({ fileName }) => fileName)];
		}
	}

	const planOf = (
		request: Parameters<typeof makePlan>[1]['request'],
		known: Known,
		source: Parameters<typeof makePlan>[0]['registry']
	) =>
		makePlan(
			{ registry: source, newest: async () => new Map(), satisfies },
			{ request, known, mayTouchLocked: true, changelogs: false }
		);

	async function plan({ to, park, versions }: Wish): Promise<SetForGame> {
		const known = await read();
		const enabled = known.files.filter((file) => file.enabled);
		const stranger = park.find((name) => !enabled.some(({ fileName }) => fileName === name));
		if (stranger !== undefined)
			throw new AppError('invalid', `There is no enabled mod ${stranger} in mods/.`, {
				issues: [{ path: 'park', message: 'Choose among those that are there.' }]
			});
		if (!loadersFor(to.loader).length) return nothing(known);
		const { names, dependents, world } = await withDependents(known, park);
		const stays = enabled.filter(({ fileName }) => !names.includes(fileName));
		const found = stays.flatMap((file) => {
			const version = file.sha512 === null ? undefined : versions.get(file.sha512);
			return version ? [{ file, version }] : [];
		});
		const isNew = ({ file, version }: (typeof found)[number]) =>
			version.file?.sha512 !== file.sha512;
		const install = found.filter(isNew).map(({ version }) => ({
			projectId: version.projectId,
			versionId: version.id
		}));
		const planned = await planOf(
			{ install, disable: names },
			{ ...known, server: to },
			asked(registry, versions)
		);
		const { rules, before } = await both(known, to);
		const left = stays.filter((file) => !found.some((one) => one.file === file && isNew(one)));
		const words = newOnGame(before, { files: left, rules }, ['wrong-game-version']);
		const title = (name: string) => known.mods.find((mod) => mod.fileName === name)?.name ?? name;
		return {
			...described(planned.plan, dependents),
			change: planned.change,
			asItIs: found.filter((one) => !isNew(one)).map(({ file }) => title(file.fileName)),
			content: world,
			blocking: [
				...planned.plan.warnings.flatMap(({ blocking, message }) => (blocking ? message : [])),
				...words.map((sentence) => `${sentence} Park it, or replace it first.`)
			],
			notes: [
				...planned.plan.warnings.flatMap(({ blocking, message }) => (blocking ? [] : message)),
				...planned.locked.map((jar) => `${jar.title} is locked, and is changed anyway.`)
			]
		};
	}

	const jarsOf = (change: ModChange, operation: string) =>
		jarsAfter(change, deps, (index) => downloads.fileOf(operation, index));

	const ensure: ModsForGame['ensure'] = async (change, after = false) => {
		const difference = differs(after ? afterwards(change) : change.before, await current());
		if (!difference) return;
		if (!after) throw planChanged(difference);
		throw new AppError('conflict', `mods/ is not as planned afterwards: ${difference}.`);
	};

	return {
		parkedWith: async (park) => (await withDependents(await read(), park)).dependents,
		plan,
		current,
		ensure,
		async bring(ctx, change, to) {
			await downloads.sweep(ctx.id);
			await downloads.fetch(ctx, change.put);
			const fileOf = (index: number) => downloads.fileOf(ctx.id, index);
			const facts = await Promise.all(change.put.map((_, i) => factsOf(fileOf(i), readJar)));
			const known = await read();
			const { rules, before } = await both(known, to);
			const files = filesAfter(known.files, change, facts);
			const [first, ...more] = newOnGame(before, { files, rules });
			if (first === undefined) return;
			const rest = more.length ? ` (and ${more.length} more of this kind)` : '';
			throw new AppError('conflict', `${first}${rest} Nothing was changed.`, {
				code: 'plan-blocked'
			});
		},
		loads: (change) => jarsOf(change, '').length > 0,
		tryOut: (ctx, change, game) =>
			compareOnCopy(
				ctx,
				{
					...{ game, jars: jarsOf(change, ctx.id), control: [] },
					files: filesOf(change).filter((name) => name.endsWith('.jar')),
					words: {
						good: 'The new game started with its mods',
						next: 'The new game is started there without mods',
						neither: 'the new game does not start without mods',
						continues: 'The upgrade continues',
						bad: 'The new game does not start with these mods'
					},
					ensure: () => ensure(change)
				},
				deps
			),
		async layOut(operation, { put, rename }, dir) {
			const to = path.join(dir, MODS);
			await mkdir(to, { recursive: true });
			const copy = async (from: string, name: string, { mode }: Pick<Stats, 'mode'>) => {
				await copyFile(from, path.join(to, name), constants.COPYFILE_FICLONE);
				await chmod(path.join(to, name), mode);
			};
			for (const [i, { fileName }] of put.entries())
				await copy(downloads.fileOf(operation, i), fileName, { mode: JAR_MODE });
			for (const { from, to: name } of rename)
				await copy(path.join(modsDir, from), name, await lstat(path.join(modsDir, from)));
		},
		exchange: ({ put, take, rename }) => ({
			put: [...put.map(({ fileName }) => fileName), ...rename.map(({ to }) => to)].map(inMods),
			take: [...take.map(({ fileName }) => fileName), ...rename.map(({ from }) => from)].map(inMods)
		}),
		discard: downloads.remove,
		async rememberParked(fileNames) {
			deps.changed();
			if (fileNames.length) await deps.parked.add(fileNames, await read());
		}
	};
}

const inMods = (fileName: string) => path.join(MODS, fileName);

/** What has been asked about already is not asked about again. */
const asked = (
	registry: Registry,
	versions: ReadonlyMap<string, RegistryVersion>
): Pick<Registry, 'projects' | 'versions' | 'versionsOf'> => ({
	projects: (ids, how) => registry.projects(ids, how),
	versionsOf: (id, filter) => registry.versionsOf(id, filter),
	async versions(ids) {
		const told = [...versions.values()].filter(({ id }) => ids.includes(id));
		const open = ids.filter((id) => !told.some((version) => version.id === id));
		return [...told, ...(open.length ? await registry.versions(open) : [])];
	}
});

function described(plan: Omit<Plan, 'trial'>, dependents: PlanItem[]) {
	const isOff = ({ fileName }: PlanItem) => fileName.endsWith('.disabled');
	const because = (item: PlanItem) =>
		dependents.find(({ fileName }) => fileName === item.replaces)?.reason ?? null;
	return {
		updated: plan.replace,
		added: [...plan.add, ...plan.rename.filter((item) => !isOff(item))],
		parked: plan.rename.filter(isOff).map((item) => ({ ...item, reason: because(item) })),
		downloadBytes: plan.downloadBytes
	};
}

/** A server without mods. */
const nothing = ({ files }: Known): SetForGame => ({
	change: {
		...{ kind: 'update', planId: null, titles: [], put: [], take: [], rename: [] },
		...{ before: setOf(files), restart: true, backupFirst: false }
	},
	...{ updated: [], added: [], asItIs: [], parked: [], content: null },
	...{ blocking: [], notes: [], downloadBytes: 0 }
});

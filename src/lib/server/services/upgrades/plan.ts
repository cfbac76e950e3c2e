import { listed } from '#schemas/plain/words/listed';
import { AppError } from '#core/errors';
import { ServerLoader } from '#schemas/software/software';
import type { UpgradePlan, UpgradeWish } from '#schemas/software/upgrade';
import { bestBuild, knownMods, newerThan, parkedFor, versionsFor, type Mod } from './readiness.ts';
import { whyNoTrial } from './trial.ts';
import type { Deps, Target, UpgradeInput } from './types.ts';
import { lookAtWorlds, partsProblem, roomProblem, sharesBlocks } from './worlds.ts';

export type Draft = { input: Omit<UpgradeInput, 'by'>; words: Omit<UpgradePlan, 'id'> };

const NAMED_MAX = 10;
const TRIAL =
	'Start the new game with its mods once on a copy, beside the running server. If it does not start there, nothing is changed and nobody is disconnected.';

/** What going to another game version comes to. AppError says what stands against it, by name. */
export async function planUpgrade(wish: UpgradeWish, deps: Deps): Promise<Draft> {
	refuse(deps.refusal ?? (await deps.untouchable()));
	const { gameVersion, park } = wish;
	const installation = await deps.installation();
	const installed = await deps.installed(false);
	if (installed.problem) throw new AppError('upstream', installed.problem);
	const fromGame = installed.gameVersion;
	await ensureNewer(gameVersion, fromGame, deps);
	const target = await targetOf(gameVersion, fromGame, deps);

	const takesMods = deps.loadersFor(installed.loader, gameVersion).length > 0;
	const { mods, aside } = takesMods
		? await knownMods(installed, { ...deps, anew: false })
		: { mods: [], aside: [] };
	const { ready } = await versionsFor(gameVersion, [...mods, ...aside], {
		...deps,
		loader: installed.loader
	});
	refuseLate(
		mods.filter(({ sha512, fileName }) => !ready.has(sha512) && !park.includes(fileName)),
		gameVersion
	);
	const to = { loader: target.loader, loaderVersion: target.build, gameVersion };
	const set = await deps.mods.plan({ to, park, versions: ready });
	if (set.blocking.length)
		throw new AppError('conflict', set.blocking.slice(0, NAMED_MAX).join(' '), {
			code: 'plan-blocked'
		});

	const worlds = await lookAtWorlds(deps.serverDir, installation);
	refuse(worlds.problem ?? (await partsProblem(deps.serverDir)));
	refuse(await roomProblem(deps.serverDir, worlds.bytes));
	const software = await deps.software.describe(target);
	const why = await whyNoTrial({ target, change: set.change }, deps);
	const runs = (await deps.server.run()) !== null;
	const stays = runs || (await deps.server.observe()).state === 'crashed';
	const fetched = !(await deps.hasJava(target.java));
	const item = ({ fileName, title }: { fileName: string; title: string }) => ({ fileName, title });
	return {
		input: {
			...{ target: { ...target, bare: software.bare }, fromGame, change: set.change },
			parked: set.parked.map(({ fileName }) => fileName)
		},
		words: {
			...{ gameVersion, from: fromGame, leaveOut: [] },
			steps: [
				...software.steps,
				...(set.change.put.length ? ['Download the new versions of the mods.'] : []),
				'Take a snapshot of the mods and their configuration.',
				...(why === null ? [TRIAL] : []),
				...exchangeSteps({ runs, stays, copiesInAMoment: await sharesBlocks(deps.serverDir) })
			],
			add: software.add,
			warnings: [...software.warnings, ...set.notes],
			downloadBytes: software.downloadBytes + set.downloadBytes,
			updated: set.updated.map(({ from, to, ...one }) => ({ ...item(one), from, to })),
			added: set.added.map(({ reason, ...one }) => ({ ...item(one), reason })),
			asItIs: set.asItIs,
			parked: set.parked.map(({ reason, ...one }) => ({ ...item(one), reason })),
			...(installed.parked?.length && { parkedBefore: parkedFor(installed.parked, ready) }),
			unknown: installed.files
				.filter(({ sha512 }) => !sha512 || !installed.versions.has(sha512))
				.map(({ fileName }) => fileName)
				.filter((fileName) => !park.includes(fileName)),
			content: set.content && `${set.content} ${ONLY_THE_COPY}`,
			world: `Minecraft ${gameVersion} converts the world: once it has opened it, ${fromGame ?? 'the old game'} cannot open it any more. So a backup is made first, and the new game gets a copy of the world. If the upgrade fails, everything is rolled back automatically, the original world included, and only what was played in between is lost; after a good upgrade the original stays beside the new world for 7 days, and one button goes back to it.`,
			java: { required: target.java, fetched },
			trial: { will: why === null, why }
		}
	};
}

/** The new game never opens the original. */
const ONLY_THE_COPY =
	'Only the new game’s copy would lose them: the original, kept for 7 days, does not.';

type Exchanging = {
	runs: boolean;
	/** Afterwards it runs. */ stays: boolean;
	copiesInAMoment: boolean;
};

/** What becomes of a server that runs, of one that had crashed, and of one that is off. */
function exchangeSteps({ runs, stays, copiesInAMoment }: Exchanging) {
	const how = copiesInAMoment ? ' (this disk copies it in a moment)' : '';
	const world = `the original world aside untouched and give the new game a copy of it${how}.`;
	const putBack = 'If it does not come up healthy, roll everything back.';
	return runs
		? [
				'Back up the world while the server keeps running.',
				`Stop the server, put ${world}`,
				`Start the server and watch it. ${putBack}`
			]
		: [
				'Back up the world.',
				`Put ${world}`,
				`Start the server${stays ? ' and watch it' : ', watch it, and stop it again'}. ${putBack}`
			];
}

function refuse(why: string | null) {
	if (why) throw new AppError('conflict', why);
}

async function ensureNewer(gameVersion: string, current: string | null, deps: Deps) {
	if (current === null)
		throw new AppError(
			'conflict',
			'The version of the game is not known yet. Start the server once, then look again.',
			{ code: 'no-game-version' }
		);
	const newer = newerThan(current, await deps.releases());
	if (newer.some(({ id }) => id === gameVersion)) return;
	const message = `${gameVersion} is no release that is newer than the ${current} that is here.`;
	throw new AppError('invalid', message, { issues: [{ path: 'gameVersion', message }] });
}

async function targetOf(gameVersion: string, current: string | null, deps: Deps): Promise<Target> {
	const { loader: found, loaderVersion } = await deps.installation();
	const loader = ServerLoader.safeParse(found);
	if (!loader.success)
		throw new AppError(
			'conflict',
			`${found === null ? 'What is here is not known' : `A server with ${found} cannot be upgraded from here`}. Exchange the game by hand.`
		);
	const started = await deps.started();
	if (!started)
		throw new AppError(
			'conflict',
			'What the start command starts is not known. Exchange the game by hand.'
		);
	const build = bestBuild(await deps.builds(loader.data, gameVersion));
	if (!build)
		throw new AppError(
			'conflict',
			`There is no server with ${loader.data} for Minecraft ${gameVersion} yet.`
		);
	const isPlain = loader.data === 'vanilla' || loader.data === 'paper';
	return {
		...{ loader: loader.data, gameVersion, from: loaderVersion, build: build.version, started },
		java: await deps.sources.java(loader.data, gameVersion),
		keepName: isPlain && !(current && started.includes(current))
	};
}

function refuseLate(late: Mod[], gameVersion: string) {
	if (!late.length) return;
	const titles = late.map(({ title }) => title);
	const message = `${listed(titles, NAMED_MAX)} ${late.length === 1 ? 'has' : 'have'} no version for Minecraft ${gameVersion} yet. Park ${late.length === 1 ? 'it' : 'them'}, or wait.`;
	throw new AppError('conflict', message, {
		code: 'late-mods',
		issues: late.map(({ fileName }) => ({ path: 'park', message: fileName }))
	});
}

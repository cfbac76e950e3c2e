import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError, errno } from '#core/errors';
import { copyTree, onDisk, type Exchange } from '#core/files';
import { asItWas, sayIfDown, type StepContext } from '#operations';
import type { KeptVersion } from '#schemas/software/kept';
import { checkpointOf, remember } from './checkpoint.ts';
import { PREFIX } from './original.ts';
import type { Deps, UpgradeInput, Workplace } from './types.ts';
import { lookAtWorlds, partsProblem, roomProblem } from './worlds.ts';

/** What the game and its loader rewrite at a start. Not the lists of players: who was banned meanwhile stays so. */
export const SETTINGS = [
	...['server.properties', 'eula.txt', 'user_jvm_args.txt', 'variables.txt'],
	...['bukkit.yml', 'spigot.yml', 'paper.yml', 'commands.yml', 'permissions.yml', 'help.yml'],
	...['fabric-server-launcher.properties', 'version_history.json']
];

/** For the players. */
export const UPGRADING = 'The game is being upgraded.';

/** Stops the server, and puts the new game, the mods and copies of worlds and settings in place. */
export async function exchangeAll(ctx: StepContext, input: UpgradeInput, deps: Deps) {
	const { server, software, mods } = deps;
	const place = software.place(ctx.id, PREFIX);
	if (!checkpointOf(ctx).exchange) {
		// Others could change the folder until now.
		await ensureAsPlanned(input, deps);
		await stopFor(ctx, deps, { by: input.by, words: UPGRADING });
		const exchange = await onDisk('The copy for the new game could not be made', () =>
			prepare(ctx, input, { deps, place })
		);
		const from = versionOf(await deps.installation());
		const exchangedAt = deps.clock.now().toISOString();
		await remember(ctx, { exchange, from, exchangedAt, known: await readdir(deps.serverDir) });
	}
	await server.ensureStopped();
	await place.touch(checkpointOf(ctx).exchange!);
	deps.changed();
	await mods.ensure(input.change, true);
	await ensureFound(input, deps);
	// Something else may have started it partway through, and it would have loaded half of each.
	await server.ensureStopped();
	ctx.detail(
		`Minecraft ${input.target.gameVersion} is in place, with a copy of the world. The original is untouched.`
	);
}

/** `AppError('conflict')` if the folder has changed since the plan, or cannot be exchanged. */
export async function ensureAsPlanned({ target, fromGame, change }: UpgradeInput, deps: Deps) {
	const { serverDir, mods } = deps;
	const { gameVersion, loaderVersion, ...installation } = await deps.installation();
	const isSame = gameVersion === fromGame && loaderVersion === target.from;
	if (!isSame || (await deps.started()) !== target.started)
		throw new AppError(
			'conflict',
			'The game or loader has changed since this was planned. Look at the plan again.',
			{ code: 'plan-changed' }
		);
	const why = deps.refusal ?? (await deps.untouchable());
	if (why) throw new AppError('conflict', why);
	await mods.ensure(change);
	const { problem, bytes } = await lookAtWorlds(serverDir, installation);
	const stuck = problem ?? (await partsProblem(serverDir)) ?? (await roomProblem(serverDir, bytes));
	if (stuck) throw new AppError('conflict', stuck);
}

export const versionOf = ({ loader, loaderVersion, gameVersion }: KeptVersion): KeptVersion => ({
	...{ loader, loaderVersion, gameVersion }
});

/** `words`: what the players are told. */
export async function stopFor(
	ctx: StepContext,
	{ server }: Pick<Deps, 'server'>,
	{ by, words }: { by: string; words: string }
) {
	if (checkpointOf(ctx).wasRunning === undefined) {
		const seen = await server.observe();
		await remember(ctx, asItWas(seen));
		sayIfDown(ctx, seen, 'Exchange game, mods and world');
	}
	await server.halt(ctx, by, words);
	await server.ensureStopped();
}

type Where = { deps: Deps; place: Workplace };

/** Everything that comes lies in the working folder afterwards, on the disk to stay. Can be repeated. */
async function prepare(
	ctx: StepContext,
	input: UpgradeInput,
	{ deps, place }: Where
): Promise<Exchange> {
	const { serverDir, software, mods } = deps;
	const installation = await deps.installation();
	const { worlds, bytes, problem } = await lookAtWorlds(serverDir, installation);
	if (problem) throw new AppError('conflict', problem);
	const world = path.relative(serverDir, installation.worldDir);
	for (const name of ['mods', ...SETTINGS, world, ...worlds.map(({ path }) => path)])
		await rm(path.join(place.fresh, name), { recursive: true, force: true });
	await software.rewriteScripts(place, { ...input.target, by: input.by });
	const parts: Exchange[] = [await place.plan([software.old(input.target)])];
	await mods.layOut(ctx.id, input.change, place.fresh);
	parts.push(mods.exchange(input.change));
	parts.push(await copySettings(serverDir, place.fresh));
	let before = 0;
	for (const { path: name, tree } of worlds) {
		ctx.detail(`${name} is being copied for the new game.`);
		await copyTree(path.join(serverDir, name), path.join(place.fresh, name), tree, {
			signal: ctx.signal,
			progress: (done) => ctx.progress(before + done, bytes, 'bytes')
		});
		before += tree.bytes;
		parts.push({ put: [name], take: [name] });
	}
	if (worlds.length === 0) {
		// What the new game makes is removed with it: the old one could not open it.
		await mkdir(path.join(place.fresh, world), { recursive: true });
		parts.push({ put: [world], take: [] });
	}
	await deps.flushDisk(place.root);
	return {
		put: [...new Set(parts.flatMap(({ put }) => put))],
		take: [...new Set(parts.flatMap(({ take }) => take))]
	};
}

async function copySettings(serverDir: string, fresh: string): Promise<Exchange> {
	const names: string[] = [];
	for (const name of SETTINGS) {
		const found = await lstat(path.join(serverDir, name)).catch((error) => {
			if (errno(error) === 'ENOENT') return null;
			throw error;
		});
		if (!found?.isFile()) continue;
		const to = path.join(fresh, name);
		await copyFile(path.join(serverDir, name), to, constants.COPYFILE_FICLONE);
		names.push(name);
	}
	return { put: names, take: names };
}

/** What was put there must also be what would be started. */
async function ensureFound({ target }: UpgradeInput, { installation }: Deps) {
	const { gameVersion, loader } = await installation();
	if (gameVersion === target.gameVersion && loader === target.loader) return;
	throw new AppError(
		'conflict',
		`Minecraft ${target.gameVersion} is in place, but the start command would start ${gameVersion ?? 'something else'}.`
	);
}

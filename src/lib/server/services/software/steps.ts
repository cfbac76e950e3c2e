import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#core/errors';
import { ensureDir, exists, type Exchange } from '#core/files';
import type { Definition, StepContext, StepPlan } from '#operations';
import { occupied, OWN_LOCK, workplace, type Workplace } from './exchange.ts';
import { argsFileOf, jarName, oldOf, startScript, titleOf, userArgs } from './layout.ts';
import { startedBy } from './plan.ts';
import type { BuildChange, ChangeInput, CreateInput, Deps } from './types.ts';

/** What an operation remembers. */
type Checkpoint = Partial<{
	by: string;
	/** From here on the folder has been changed. */
	exchange: Exchange;
	/** Names in the folder before a server was created, and that somebody put there before its first start. */
	before: string[];
	wasRunning: boolean;
	launching: boolean;
	answered: boolean;
	crashed: boolean;
	settled: boolean;
}>;
const checkpointOf = (ctx: StepContext) => ctx.checkpoint as Checkpoint;
const remember = (ctx: StepContext, patch: Checkpoint) => ctx.remember(patch);

const SCRIPTS = ['start.sh', 'run.sh'];
/** Why a server did not start is read there. */
const EVIDENCE = ['logs', 'crash-reports'];

export const defineCreate = (
	deps: Deps,
	begun: () => Promise<unknown>
): Definition<CreateInput> => ({
	kind: 'create',
	steps: (input) => [
		{
			id: 'lookup',
			label: 'Check the folder',
			afterCrash: 'resume',
			async run(ctx) {
				await checkEmpty(ctx, deps, input.by);
				await begun();
			}
		},
		...gather(deps, input, { complete: (ctx) => setUp(ctx, deps, input) }),
		...finish(deps, input.by, 'Put the server into the folder', async () => [])
	],
	rollback: rollback(deps)
});

export const defineChange = (deps: Deps): Definition<ChangeInput> => ({
	kind: 'change-software',
	steps: (input) => [
		{
			id: 'lookup',
			label: 'Check the plan',
			afterCrash: 'resume',
			async run(ctx) {
				const { command, gameVersion, loaderVersion } = await deps.installation();
				const isSame = gameVersion === input.gameVersion && loaderVersion === input.from;
				if (!isSame || startedBy(command?.argv ?? []) !== input.started)
					throw new AppError(
						'conflict',
						'Another server is here, or it is started in another way, than when this was planned. Plan it again.',
						{ code: 'plan-changed' }
					);
				await remember(ctx, { by: input.by });
			}
		},
		...gather(deps, input, {
			complete: ({ id }) => rewriteScripts(workplace(deps.serverDir, id), deps, input)
		}),
		...finish(deps, input.by, 'Stop the server and exchange the files', async () => [
			oldOf(input.started)
		])
	],
	rollback: rollback(deps)
});

export async function checkEmpty(ctx: StepContext, deps: Deps, by: string) {
	await ensureEmpty(deps);
	await remember(ctx, { before: await readdir(deps.serverDir), by, wasRunning: false });
}

/** One press that downloads a Java. */
export const defineJava = (deps: Deps): Definition<{ major: number }> => ({
	kind: 'java',
	steps: ({ major }) => [javaStep(deps, major)]
});

export const removeWorkplace =
	({ serverDir }: Deps, prefix?: string) =>
	async (ctx: StepContext) =>
		workplace(serverDir, ctx.id, prefix).remove();

type Gathering = {
	/** Begins the name of the folder where it is laid out. */
	prefix?: string;
	complete?: (ctx: StepContext) => Promise<void>;
};

/** Java, the download, and the new server laid out beside the folder. */
export function gather(
	deps: Deps,
	input: CreateInput | ChangeInput,
	{ prefix, complete = async () => {} }: Gathering = {}
): [java: StepPlan, download: StepPlan, install: StepPlan] {
	const { sources, serverDir, javas } = deps;
	const source = sources.of(input.loader);
	const placeOf = ({ id }: StepContext) => workplace(serverDir, id, prefix);
	const undo = removeWorkplace(deps, prefix);
	return [
		javaStep(deps, input.java),
		{
			id: 'download',
			label: `Download ${titleOf(input)}`,
			cancellable: true,
			afterCrash: 'resume',
			async run(ctx) {
				const place = placeOf(ctx);
				await place.begin();
				const artifact = await source.artifact(input.gameVersion, input.build);
				const file = path.join(place.download, jarName(artifact.fileName));
				if (await exists(file)) return;
				// What a killed process left: the next step takes the one file that is there.
				await rm(place.download, { recursive: true, force: true });
				await mkdir(place.download);
				await source.download(artifact, file, {
					signal: ctx.signal,
					progress: (bytes) => artifact.size && ctx.progress(bytes, artifact.size, 'bytes')
				});
			},
			undo
		},
		{
			id: 'install',
			label: 'Lay it out beside the folder',
			cancellable: true,
			afterCrash: 'resume',
			async run(ctx) {
				const place = placeOf(ctx);
				await rm(place.fresh, { recursive: true, force: true });
				await mkdir(place.fresh);
				const [name = ''] = await readdir(place.download);
				const jar = path.join(place.download, name);
				const proof = argsFileOf(input);
				if (proof) {
					const java = await javas.choose(input.java);
					if (!java) throw missing(input.java);
					await deps.runInstaller({
						jar,
						java: java.path,
						dir: place.fresh,
						proof,
						signal: ctx.signal
					});
					for (const left of await readdir(place.fresh))
						if (/\.log$|^\.java$|^run\.bat$|^hsperfdata/.test(left))
							await rm(path.join(place.fresh, left), { recursive: true });
				} else await copyFile(jar, path.join(place.fresh, name), constants.COPYFILE_FICLONE);
				await complete(ctx);
			},
			undo
		}
	];
}

const javaStep = ({ sources, javas, changed }: Deps, major: number): StepPlan => ({
	id: 'java',
	label: `Java ${major}`,
	cancellable: true,
	afterCrash: 'resume',
	async run(ctx) {
		const here = await javas.choose(major);
		if (here) ctx.skip(`Java ${here.version} is installed.`);
		const archive = await sources.javas.find(major);
		await ensureDir(javas.dir);
		const file = path.join(javas.dir, `.${ctx.id}.tar.gz`);
		try {
			await sources.javas.download(archive, file, {
				signal: ctx.signal,
				progress: (bytes) => ctx.progress(bytes, archive.size, 'bytes')
			});
			const java = await javas.install(file, major, ctx.signal);
			changed();
			ctx.detail(`Java ${java.version} from Adoptium.`);
		} finally {
			await rm(file, { force: true });
		}
	}
});

/** The settings of a new server, and how much memory it gets. */
export async function setUp(ctx: StepContext, { serverDir, write }: Deps, input: CreateInput) {
	const { fresh } = workplace(serverDir, ctx.id);
	const jar = await jarIn(fresh);
	const args = path.join(fresh, 'user_jvm_args.txt');
	if (argsFileOf(input))
		await writeFile(
			args,
			(await readFile(args, 'utf8').catch(() => '')) + userArgs(input.memoryMb)
		);
	else
		await writeFile(path.join(fresh, 'start.sh'), startScript(jar!, input.memoryMb), {
			mode: 0o755
		});
	for (const name of ['server.properties', 'eula.txt']) {
		const there = await readFile(path.join(serverDir, name)).catch(() => null);
		if (there && !(await exists(path.join(fresh, name))))
			await writeFile(path.join(fresh, name), there);
	}
	await write.eula(fresh);
	await write.properties(fresh, {
		'server-port': String(input.port),
		...(input.motd === null ? {} : { motd: input.motd }),
		...(input.seed === null ? {} : { 'level-seed': input.seed }),
		'enable-rcon': 'true',
		'rcon.port': String(
			input.port < RCON_PORT_MAX ? input.port + RCON_BEYOND : input.port - RCON_BEYOND
		),
		'rcon.password': randomBytes(18).toString('base64url')
	});
}

/** 25575 beside the usual 25565. */
const RCON_BEYOND = 10;
const RCON_PORT_MAX = 65_535 - RCON_BEYOND;

const jarIn = async (fresh: string) =>
	(await readdir(fresh)).find((name) => name.endsWith('.jar')) ?? null;

/** What will be started: a jar, or a file of arguments; null when nothing is laid out. */
export const startedAfter = async (
	{ fresh }: Pick<Workplace, 'fresh'>,
	what: Omit<BuildChange, 'from'>
) => argsFileOf(what) ?? (what.keepName ? what.started : await jarIn(fresh));

/** The owner's own scripts keep starting the server: the names in them are updated. */
export async function rewriteScripts(
	{ fresh }: Pick<Workplace, 'fresh'>,
	{ serverDir }: Deps,
	input: ChangeInput
) {
	const jar = await jarIn(fresh);
	if (input.keepName && jar && jar !== input.started)
		await rename(path.join(fresh, jar), path.join(fresh, input.started));
	const target = await startedAfter({ fresh }, input);
	for (const name of SCRIPTS) {
		const text = await readFile(path.join(serverDir, name), 'utf8').catch(() => null);
		if (text?.includes(input.started))
			await writeFile(path.join(fresh, name), text.replaceAll(input.started, target!), {
				mode: 0o755
			});
		else await rm(path.join(fresh, name), { force: true });
	}
	// What people wrote into it is kept.
	await rm(path.join(fresh, 'user_jvm_args.txt'), { force: true });
}

export function finish(
	deps: Deps,
	by: string,
	label: string,
	take: () => Promise<string[]>
): StepPlan[] {
	const { server, serverDir } = deps;
	return [
		{
			id: 'swap',
			label,
			afterCrash: 'resume',
			async run(ctx) {
				const place = workplace(serverDir, ctx.id);
				if (!checkpointOf(ctx).exchange) {
					if (checkpointOf(ctx).wasRunning === undefined) {
						const { state, run } = await server.observe();
						await remember(ctx, { wasRunning: run !== null && state !== 'stopping' });
					}
					if (checkpointOf(ctx).before) await ensureEmpty(deps);
					else await server.halt(ctx, by, 'Its software is being changed.');
					await remember(ctx, { exchange: await place.plan(await take()) });
				}
				if (!checkpointOf(ctx).before) await server.ensureStopped();
				await place.touch(checkpointOf(ctx).exchange!);
				deps.changed();
			}
		},
		{
			id: 'restart',
			label: 'Start the server',
			afterCrash: 'resume',
			async run(ctx) {
				await server.ensureStartable();
				await remember(ctx, { launching: true, ...(await foreign(ctx, serverDir)) });
				await server.launch(ctx);
			}
		},
		{
			id: 'verify',
			label: 'Watch whether it comes up healthy',
			afterCrash: 'always',
			async run(ctx) {
				if (!checkpointOf(ctx).settled) {
					await server.verify(ctx, (sign) => remember(ctx, { [sign]: true }));
					await remember(ctx, { settled: true });
				}
				await quietly(workplace(serverDir, ctx.id).remove());
				ctx.detail('It came up healthy and stayed so.');
			}
		}
	];
}

/** The server runs: what the disk refuses to remove is only in the way, and `occupied` overlooks it. */
const quietly = (removal: Promise<void>) => removal.catch(() => {});

export const rollback = (deps: Deps): StepPlan => ({
	id: 'rollback',
	label: 'Put everything back',
	async run(ctx) {
		const { server, serverDir } = deps;
		const place = workplace(serverDir, ctx.id);
		const { settled, exchange, wasRunning, before, by = 'dashboard' } = checkpointOf(ctx);
		if (settled) {
			await quietly(place.remove());
			return ctx.skip('The server runs with it; only what follows was cut off.');
		}
		if (!exchange) {
			await place.remove();
			if (wasRunning && !(await server.run())) await startAgain(ctx, deps);
			return ctx.skip('Nothing had been changed.');
		}
		await endServer(ctx, deps, by);
		await place.back(exchange);
		if (before) await clear(ctx, serverDir);
		deps.changed();
		if (wasRunning) await startAgain(ctx, deps);
		else await server.settle('Its new software did not work and was taken back.');
		await place.remove();
		ctx.detail(before ? 'The folder is empty again.' : 'What was there before is back.');
	}
});

const topsOf = ({ put }: Exchange) => new Set(put.map((name) => name.split('/', 1)[0]!));

/** Before the first start of a new server: what lies there and is not ours was put there by somebody. */
async function foreign(ctx: StepContext, serverDir: string): Promise<Checkpoint> {
	const { before, exchange, launching } = checkpointOf(ctx);
	if (!before || !exchange || launching) return {};
	const ours = topsOf(exchange);
	const others = (await readdir(serverDir)).filter((name) => !ours.has(name));
	return { before: [...new Set([...before, ...others])] };
}

/** Takes away what a new server has made in the folder: a new attempt begins without it. */
async function clear(ctx: StepContext, serverDir: string) {
	const { before = [], exchange, launching } = checkpointOf(ctx);
	const kept = new Set([
		...before,
		...EVIDENCE,
		OWN_LOCK,
		path.basename(workplace(serverDir, ctx.id).root)
	]);
	const made = launching ? await readdir(serverDir) : [...topsOf(exchange!)];
	for (const name of made)
		if (!kept.has(name)) await rm(path.join(serverDir, name), { recursive: true, force: true });
}

async function startAgain(ctx: StepContext, { server }: Deps) {
	await server.launch(ctx);
	await server.verify(ctx);
}

/** Only a run that this operation started is killed. */
async function endServer(ctx: StepContext, { server }: Deps, by: string) {
	const { launching, answered, crashed } = checkpointOf(ctx);
	const run = await server.run();
	if (run && launching && run.ours && (!answered || crashed)) await server.end(ctx, by);
	await server.halt(ctx, by, 'A change of its software is taken back.');
}

/** No address is probed: an empty folder has none of its own yet. */
async function ensureEmpty({ server, serverDir }: Deps) {
	const why = await occupied(serverDir);
	if (why) throw new AppError('conflict', why);
	if (await server.run())
		throw new AppError('conflict', 'A server runs in the folder. Stop it, then try again.');
}

const missing = (major: number) =>
	new AppError('conflict', `There is no Java ${major} here any more. Fetch it, and try again.`, {
		code: 'java-missing'
	});

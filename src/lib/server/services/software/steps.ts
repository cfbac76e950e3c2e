import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#core/errors';
import { ensureDir, exists, onDisk, readTextIfExists } from '#core/files';
import { countdownStep, type Definition, type StepContext, type StepPlan } from '#operations';
import { remember } from './checkpoint.ts';
import { discard, occupied, workplace, type Workplace } from './exchange.ts';
import { CHANGING, finish } from './finish.ts';
import { argsFileOf, jarName, oldOf, startScript, titleOf, userArgs } from './layout.ts';
import { startedBy } from './plan.ts';
import { rollback } from './rollback.ts';
import type { BuildChange, ChangeInput, CreateInput, Deps } from './types.ts';

const SCRIPTS = ['start.sh', 'run.sh'];

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
		...finish(deps, intoEmpty(deps, input.by))
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
				await ensureSame(deps, input);
				await remember(ctx, { by: input.by });
			}
		},
		...gather(deps, input),
		...countdownStep(deps.server, input.countdown, CHANGING),
		...finish(deps, {
			by: input.by,
			label: 'Stop the server and exchange the files',
			async prepare({ id }) {
				await ensureSame(deps, input);
				await deps.server.ensureStartable();
				await rewriteScripts(workplace(deps.serverDir, id), deps, input);
				return [oldOf(input.started)];
			},
			ensureFound: () => ensureFound(deps, input)
		})
	],
	rollback: rollback(deps)
});

/** The server is still the one that the plan was made for. */
async function ensureSame({ installation }: Deps, input: ChangeInput) {
	const { command, gameVersion, loaderVersion } = await installation();
	const isSame = gameVersion === input.gameVersion && loaderVersion === input.from;
	if (isSame && startedBy(command?.argv ?? []) === input.started) return;
	throw new AppError(
		'conflict',
		'The server, or the way it is started, has changed since this was planned. Plan it again.',
		{ code: 'plan-changed' }
	);
}

async function ensureFound({ installation }: Deps, input: ChangeInput) {
	const { command, loader, gameVersion } = await installation();
	const started = startedBy(command?.argv ?? []);
	const isNew = started !== null && started !== input.started;
	if (isNew && loader === input.loader && gameVersion === input.gameVersion) return;
	throw new AppError(
		'conflict',
		`${titleOf(input)} is in place, but the start command would start ${started ?? 'something else'}.`
	);
}

/** For a server in a folder that had none. */
export const intoEmpty = (deps: Deps, by: string) => ({
	by,
	label: 'Put the server into the folder',
	async prepare() {
		await ensureEmpty(deps);
		return [];
	}
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
		discard(workplace(serverDir, ctx.id, prefix));

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
				// Removes what a killed process left, because the next step expects a single file.
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
						bare: input.bare ?? false,
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
export async function setUp(ctx: StepContext, deps: Deps, input: CreateInput) {
	const { serverDir, write } = deps;
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
		...(await rcon(deps, input.port))
	});
}

/**
 * Other programs may use what stands in the folder's own server.properties, so it is kept, and only what is missing is
 * added. What a pack brings is known to everybody, and is not looked at.
 */
async function rcon({ serverDir, readProperties }: Deps, gamePort: number) {
	const here = await readProperties(serverDir);
	const port = Number(here?.get('rcon.port') || NaN);
	const isUsable = Number.isInteger(port) && port > 0 && port <= PORT_MAX && port !== gamePort;
	const usual = gamePort + RCON_BEYOND;
	return {
		'enable-rcon': 'true',
		'rcon.port': String(isUsable ? port : usual <= PORT_MAX ? usual : gamePort - RCON_BEYOND),
		'rcon.password': here?.get('rcon.password') || randomBytes(18).toString('base64url')
	};
}

/** 25575 beside the usual 25565. */
const RCON_BEYOND = 10;
const PORT_MAX = 65_535;

const jarIn = async (fresh: string) =>
	(await readdir(fresh)).find((name) => name.endsWith('.jar')) ?? null;

/** What will be started: a jar or an argument file; null when nothing is laid out. */
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
		// A script that cannot be read may start the jar that is about to be removed.
		const text = await onDisk(`${name} could not be read`, () =>
			readTextIfExists(path.join(serverDir, name))
		);
		if (text?.includes(input.started))
			await writeFile(path.join(fresh, name), text.replaceAll(input.started, target!), {
				mode: 0o755
			});
		else await rm(path.join(fresh, name), { force: true });
	}
	// What people wrote into it is kept.
	await rm(path.join(fresh, 'user_jvm_args.txt'), { force: true });
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

import { freemem, totalmem } from 'node:os';
import { AppError } from '#core/errors';
import type { ChangeWish, CreateWish, LoaderBuild, SoftwarePlan } from '#schemas/software/software';
import { occupied } from './exchange.ts';
import { argsFileOf, jarName, TITLES, titleOf } from './layout.ts';
import type { BuildChange, Creation, Deps } from './types.ts';

export type Words = Omit<SoftwarePlan, 'id' | 'subject'>;
export type Draft =
	| { do: 'create'; what: Creation; words: Words }
	| { do: 'change'; what: BuildChange; words: Words };

export const PORT = 25_565;
const MEMORY_MAX_MB = 4096;
const MEMORY_STEP_MB = 512;
const MB = 1 << 20;

/** Half of the machine, at most 4 GB. */
export const usualMemoryMb = () => {
	const half = Math.floor(totalmem() / MB / 2 / MEMORY_STEP_MB) * MEMORY_STEP_MB;
	return Math.max(MEMORY_STEP_MB, Math.min(MEMORY_MAX_MB, half));
};

/** The newest one marked as stable, else the newest. */
export const bestOf = (builds: LoaderBuild[]) => builds.find(({ stable }) => stable) ?? builds[0];

export async function planCreate(wish: CreateWish, deps: Deps): Promise<Draft> {
	const { sources } = deps;
	await requireEmpty(deps);
	const { loader, gameVersion } = wish;
	const builds = await sources.of(loader).builds(gameVersion);
	const build = wish.build ?? bestOf(builds)?.id;
	if (!build)
		throw new AppError('invalid', `${TITLES[loader]} has no server for Minecraft ${gameVersion}.`, {
			issues: [{ path: 'gameVersion', message: 'Choose another version.' }]
		});
	const what: Creation = {
		...{ loader, gameVersion, build },
		memoryMb: wish.memoryMb ?? usualMemoryMb(),
		port: wish.port ?? PORT,
		seed: wish.seed || null,
		motd: wish.motd || null,
		java: await sources.java(loader, gameVersion)
	};
	const { bare, ...common } = await gather(what, deps);
	const stable = builds.find(({ id }) => id === build)?.stable ?? false;
	return {
		do: 'create',
		what: { ...what, bare },
		words: {
			...common,
			steps: [...common.steps, ...setUpSteps(what)],
			add: [...common.add, 'eula.txt', 'server.properties'],
			warnings: [
				...common.warnings,
				...(stable ? [] : [`${titleOf(what)} is not marked as stable by its makers.`])
			]
		}
	};
}

/** `AppError('conflict')` where no server can be made. */
export async function requireEmpty({ refusal, serverDir }: Deps) {
	const why = refusal ?? (await occupied(serverDir));
	if (why) throw new AppError('conflict', why);
}

/** What comes after the files. */
export const setUpSteps = ({ memoryMb, port }: Creation) => [
	`Set it up: ${memoryMb} MB of memory, port ${port}, RCON with a password of its own.`,
	'Write your agreement to the Minecraft EULA into eula.txt.',
	'Start the server and watch it until it is healthy.'
];

export async function planChange(wish: ChangeWish, deps: Deps): Promise<Draft> {
	const { sources, installation, refusal } = deps;
	if (refusal) throw new AppError('conflict', refusal);
	const { loader, loaderVersion, gameVersion, command } = await installation();
	if (loader !== wish.loader || loader === 'vanilla' || !gameVersion || !command)
		throw new AppError(
			'conflict',
			`Only the build of what is here can be changed, and here is ${loader === null ? 'nothing that is known' : TITLES[wish.loader === loader ? wish.loader : (loader as 'fabric')]}. Another loader needs other mods.`
		);
	const started = startedBy(command.argv);
	if (!started)
		throw new AppError(
			'conflict',
			'What the start command starts is not known. Change it by hand.'
		);
	if (loaderVersion === wish.build)
		throw new AppError('conflict', `${wish.build} is what is here already.`, {
			code: 'nothing-to-do'
		});
	const what: BuildChange = {
		...{ loader: wish.loader, gameVersion, from: loaderVersion, build: wish.build, started },
		java: await sources.java(wish.loader, gameVersion)
	};
	const { bare, ...common } = await gather(what, deps);
	const runs = (await deps.server.run()) !== null;
	return {
		do: 'change',
		what: { ...what, bare },
		words: {
			...common,
			steps: [
				...common.steps,
				runs ? 'Stop the server, and exchange the files.' : 'Exchange the files.',
				'Start it and watch it; if it does not come up healthy, roll everything back.'
			]
		}
	};
}

/** The jar, or the argument file, that a command starts. */
export function startedBy(argv: string[]): string | null {
	const jar = argv[argv.indexOf('-jar') + 1];
	if (argv.includes('-jar') && jar) return jar;
	return argv.find((word) => /^@libraries\/.+\/unix_args\.txt$/.test(word))?.slice(1) ?? null;
}

/** The part that all plans share: Java and the download. `bare`: the installer would run without a sandbox. */
export async function gather(
	what: Creation | BuildChange,
	deps: Deps
): Promise<Words & { bare: boolean }> {
	const { sources, javas } = deps;
	const { loader, gameVersion, build, java } = what;
	const artifact = await sources.of(loader).artifact(gameVersion, build);
	const here = await javas.choose(java);
	const fetched = here ? null : await sources.javas.find(java);
	const installer = artifact.kind === 'installer';
	const game =
		artifact.kind === 'launcher'
			? await sources.of('vanilla').artifact(gameVersion, gameVersion)
			: null;
	const bare = installer && !(await deps.hasSandbox());
	return {
		bare,
		steps: [
			fetched
				? `Fetch Java ${java} from Adoptium into the dashboard’s own folder.`
				: `Use Java ${here!.version}, which is installed.`,
			`Download ${titleOf(what)}${artifact.hash ? ', and check its checksum' : ''}.`,
			...(installer ? [`Run the installer of ${TITLES[loader]} in an empty folder.`] : []),
			...(game
				? ['The game itself is downloaded by Fabric, at the first start at the latest.']
				: [])
		],
		add: [argsFileOf(what) ?? jarName(artifact.fileName)],
		leaveOut: [],
		warnings: [
			...('memoryMb' in what && what.memoryMb * MB > freemem()
				? [`Only ${Math.floor(freemem() / MB)} MB of memory are free at the moment.`]
				: []),
			...(here && here.major < java
				? [`JAVA_HOME names Java ${here.version}, and Minecraft ${gameVersion} needs ${java}.`]
				: []),
			...(bare
				? [
						'There is no sandbox here (bubblewrap is missing or not allowed): the installer can read and write what the dashboard can. Go on only if you trust it.'
					]
				: [])
		],
		downloadBytes: (artifact.size ?? 0) + (game?.size ?? 0) + (fetched?.size ?? 0)
	};
}

import path from 'node:path';
import type { GoBackPlan, KeptServer, KeptVersion } from '#schemas/software/kept';
import { ServerLoader } from '#schemas/software/software';
import { exists } from '#core/files';
import { SETTINGS } from '../exchange.ts';
import { PREFIX, type Kept } from '../original.ts';
import type { Deps } from '../types.ts';
import { partsProblem } from '../worlds.ts';

type Found = Kept & { id: string };

export const titleOf = ({ gameVersion }: KeptVersion) =>
	gameVersion === null ? 'the server of before' : `Minecraft ${gameVersion}`;

/** Whatever its build, which may only be known once it has been started. */
export const isInstalled = (wanted: KeptVersion, here: KeptVersion) =>
	wanted.gameVersion === here.gameVersion && wanted.loader === here.loader;

/** Why it cannot be brought back now, in a sentence; null when it can. */
async function whyNotNow({ live }: Kept, deps: Deps): Promise<string | null> {
	const here = await deps.installation();
	if (!isInstalled(live, here) || live.loaderVersion !== here.loaderVersion)
		return `${nameOf(live, deps)} took its place, and ${nameOf(here, deps)} is installed now. Go back to the former first.`;
	return deps.refusal ?? (await deps.untouchable()) ?? (await partsProblem(deps.serverDir));
}

/** The same, with all that has to be read for it. */
export async function whyNot(kept: Kept, deps: Deps): Promise<string | null> {
	const why = await whyNotNow(kept, deps);
	if (why) return why;
	const problem = await deps.snapshots.problem(kept.snapshot);
	return problem && `The snapshot of its mods and their configuration cannot be used: ${problem}`;
}

/** `Fabric 0.18.0 for Minecraft 1.21.1`. */
function nameOf(version: KeptVersion, { software }: Deps): string {
	const { gameVersion, loaderVersion: build } = version;
	const loader = ServerLoader.safeParse(version.loader).data;
	if (!loader || gameVersion === null || (build === null && loader !== 'vanilla'))
		return titleOf(version);
	return software.title({ loader, gameVersion, build: build ?? '' });
}

/** Newest first. */
export const describeAll = (all: Found[], deps: Deps): Promise<KeptServer[]> =>
	Promise.all(all.map((kept) => describe(kept, deps, whyNotNow)));

async function describe(kept: Found, deps: Deps, why: typeof whyNot): Promise<KeptServer> {
	const { id, aside, live, at, until, bytes } = kept;
	return {
		...{ operationId: id, title: titleOf(aside), version: aside, instead: titleOf(live) },
		...{ at, until, bytes },
		refusal: await why(kept, deps)
	};
}

export async function planGoBack(kept: Found, deps: Deps): Promise<GoBackPlan> {
	const { live, at } = kept;
	const server = await describe(kept, deps, whyNot);
	const runs = (await deps.server.run()) !== null;
	const seen = (one: GoBackPlan['players'][number]) => one.lastSeenAt ?? '';
	return {
		server,
		parts: await partsOf(kept, deps),
		notes: [
			'Operators, whitelist and bans stay as they are now, and so does whatever else somebody has put into the server’s folder.',
			`${titleOf(live)} is put aside as it is now, with its world and its mods, and kept for 7 days in turn.`
		],
		steps: [
			'Take a snapshot of the mods and their configuration as they are now.',
			`${runs ? 'Stop the server, and exchange' : 'Exchange'} game, mods, settings and world.`,
			runs
				? `Start the server and watch it. If it does not come up healthy, it is rolled back to ${titleOf(live)} as it is now.`
				: 'The server stays off, as it is now.'
		],
		players: (await deps.players())
			.filter((one) => one.online || seen(one) > at)
			.sort((a, b) => Number(b.online) - Number(a.online) || (seen(a) < seen(b) ? 1 : -1))
	};
}

async function partsOf(kept: Found, deps: Deps): Promise<GoBackPlan['parts']> {
	const { exchange, holds, aside, id } = kept;
	const names = holds === 'old' ? exchange.take : exchange.put;
	const side = path.join(deps.serverDir, `${PREFIX}${id}`, holds);
	const isWorld = await Promise.all(
		names.map((name) => exists(path.join(side, name, 'level.dat')))
	);
	const settings = names.filter((name) => SETTINGS.includes(name));
	const parts = [
		{
			files: names.filter((_, i) => isWorld[i]),
			means: 'The world from that time: everything built, found and changed since is undone.'
		},
		{ files: [], means: `The software: ${nameOf(aside, deps)}.` },
		...(aside.loader === 'vanilla'
			? []
			: [{ files: ['mods'], means: 'The mods from that time, with their configuration.' }])
	];
	const of = 'Settings from that time, with the ports and the RCON password.';
	return settings.length ? [...parts, { files: settings, means: of }] : parts;
}

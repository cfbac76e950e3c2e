import path from 'node:path';
import { exists } from '#core/files';
import type { ServerState } from '#schemas/status';
import type { SetupStep, Unready } from '#schemas/setup';
import type { Installation } from '#minecraft/folder';

/** What a server needs before the dashboard can run it. */
export interface FirstRun {
	/** Every step, in order. The lines of one hold a password: for superadmins only. */
	steps(): Promise<SetupStep[]>;
	/** What is still to do for a person, without secrets; empty when all is done. */
	open(): Promise<SetupStep['title'][]>;
	/** Why the server cannot be started at all; null when it can. */
	unready(): Promise<Unready | null>;
}

type Observed = { state: ServerState; run: { startedAt: string } | null };
type Deps = {
	installation: () => Promise<Installation>;
	observe: () => Promise<Observed>;
	/** What became of the last command over RCON; null when there was none. */
	rconLast: () => { at: string; trouble: string | null } | null;
	setup: { rconLines(): Promise<string[]>; queued(): Promise<boolean> };
	/** Why the dashboard cannot set up a server in the folder; null when it can. */
	occupied: () => Promise<string | null>;
	serverDir: string;
};

/** What no start can do without, the first thing first. */
const STARTS_WITH = [
	{ id: 'server', why: 'There is no server in the folder yet.' },
	{ id: 'command', why: 'The dashboard does not know yet how to start the server.' },
	{ id: 'eula', why: 'Minecraft’s EULA is not accepted yet.' }
] as const;

const step = (facts: Pick<SetupStep, 'id' | 'title' | 'done' | 'detail'> & Partial<SetupStep>) => ({
	lines: [],
	action: null,
	...facts
});

const WHAT_FOR =
	'RCON lets the dashboard send commands to the server: to talk to players, measure TPS and back up while they play.';

/** There is no server: it may be set up in the folder, or lies somewhere else. */
type Missing = 'here' | 'elsewhere' | null;

const NEXT_START = 'It takes effect at the next start of the server.';
/** When it will work, where the server is not up. */
const EFFECT: Partial<Record<ServerState, string>> = {
	...{ stopped: NEXT_START, crashed: NEXT_START, stopping: NEXT_START },
	starting: 'It works once the server has started.'
};

export function createFirstRun(deps: Deps): FirstRun {
	const { installation, observe, setup, serverDir } = deps;
	const rconOn = { id: 'rcon', title: 'RCON turned on' } as const;
	/** Only an answer proves that it works. */
	function on({ rcon: { port } }: Installation, { state, run }: Observed): SetupStep {
		const isUp = state === 'running' || state === 'unknown';
		const last = deps.rconLast();
		const ofThisRun = isUp && last && (!run || last.at > run.startedAt) ? last : null;
		if (ofThisRun?.trouble === null)
			return step({
				...rconOn,
				done: true,
				detail: 'The dashboard can send commands to the server.'
			});
		const detail =
			ofThisRun?.trouble ??
			`RCON is on in server.properties, with port ${port}. ${isUp ? 'It has not answered yet.' : EFFECT[state]}`;
		return step({ ...rconOn, done: false, waits: true, detail });
	}
	async function rcon(found: Installation, seen: Observed, missing: Missing): Promise<SetupStep> {
		if (found.rcon.enabled) return on(found, seen);
		if (await setup.queued())
			return step({
				...rconOn,
				done: false,
				detail:
					'RCON will be turned on when the server stops next. It works after the start that follows.'
			});
		// What was queued may have been written since the folder was read.
		const now = await installation();
		if (now.rcon.enabled) return on(now, seen);
		if (missing)
			return step({
				...rconOn,
				done: false,
				detail: `${WHAT_FOR}${missing === 'here' ? ' A server that is set up here has it turned on.' : ''}`
			});
		return step({
			...rconOn,
			done: false,
			detail: WHAT_FOR,
			lines: await setup.rconLines(),
			action: 'enableRcon'
		});
	}

	async function steps(): Promise<SetupStep[]> {
		const [found, seen] = await Promise.all([installation(), observe()]);
		const isThere = found.found || found.command !== null;
		const why = isThere ? null : await deps.occupied();
		const above = isThere ? null : await serverAbove(serverDir);
		const there = server(found, serverDir, { occupied: why, above });
		/** What belongs to a server is done when there is one, and where it is. */
		const missing = there.here ? 'here' : above ? 'elsewhere' : null;
		return [
			there,
			command(found),
			eula(found, seen.state, missing),
			await rcon(found, seen, missing)
		];
	}
	return {
		steps,
		open: async () =>
			(await steps()).flatMap(({ title, done, waits }) => (done || waits ? [] : [title])),
		async unready() {
			const open = (await steps()).filter(({ done }) => !done).map(({ id }) => id);
			const first = STARTS_WITH.find(({ id }) => open.includes(id));
			return first ? { server: !open.includes('server'), why: first.why } : null;
		}
	};
}

/** The folder around this one, when it looks like the one that is meant. */
async function serverAbove(dir: string): Promise<string | null> {
	const above = path.dirname(dir);
	return (await exists(path.join(above, 'server.properties'))) ? above : null;
}

type Instead = {
	/** Why none can be set up here. */
	occupied: string | null;
	above: string | null;
};

function server(there: Installation, dir: string, { occupied, above }: Instead): SetupStep {
	const { found, software, gameVersion, command, problem } = there;
	const about = { id: 'server', title: 'A server in the folder' } as const;
	if (found || command !== null)
		return step({ ...about, done: true, detail: `${software ?? 'A server'} is in ${dir}.` });
	if (above)
		return step({
			...about,
			done: false,
			detail: `There is no server in ${dir}, but server.properties lies in the folder above it. Set SERVER_DIR to ${above} if that is the one, and start the dashboard again.`
		});
	const game = gameVersion ? `, Minecraft ${gameVersion}` : '';
	if (occupied === null)
		return step({
			...about,
			done: false,
			here: true,
			detail: `It needs the internet. Or copy your own server into ${dir}.`
		});
	const jar = `Put a server jar of Fabric, Quilt, Forge, NeoForge, Paper or vanilla into ${dir}.`;
	return step({
		...about,
		done: false,
		detail: [
			problem ?? jar,
			...(software ? [`What is there belongs to ${software}${game}.`] : []),
			`None can be set up here. ${occupied}`
		].join(' ')
	});
}

function command({ found, command, problem }: Installation): SetupStep {
	const missing = found
		? (problem ??
			'The dashboard cannot work out how to start this server. Set SERVER_COMMAND in .env and start the dashboard again.')
		: 'It comes with the server. Only one that is not recognised by its files needs SERVER_COMMAND in .env.';
	return step({
		id: 'command',
		title: 'A way to start it',
		done: command !== null,
		detail: command?.how ?? missing
	});
}

/** A running server was not held up by it. */
function eula({ eula: accepted }: Installation, state: ServerState, missing: Missing): SetupStep {
	const done = accepted || state === 'running' || state === 'stopping';
	return step({
		id: 'eula',
		title: 'Minecraft’s EULA accepted',
		done,
		detail: done
			? 'It is accepted.'
			: `The server does not start until you have agreed.${missing === 'here' ? ' You are asked when a server is set up here.' : ' Nobody can do that for you.'}`,
		action: done || missing ? null : 'acceptEula'
	});
}

import type { Operation } from '#schemas/operation';
import type { ServerState } from '#schemas/status';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Lock } from '#core/lock';
import type { ListChange, Listed, ListName, NewEntry, Profile } from '#minecraft/lists';
import type { PlayerCommand } from '#minecraft/commands';
import { UNSEEN } from '#operations';
import type { Outcome } from './console.ts';
import {
	invalidName,
	isKick,
	isSwitch,
	LISTS,
	wants,
	type ListCommand,
	type SwitchCommand
} from './action.ts';
import { meant, profileFor, whitelistEnabled, type FileDeps } from './list-membership.ts';
import { filesInUse, notNow } from './labels.ts';

/** Another process's edit takes milliseconds; what holds the lock longer is an operation. */
const LOCK_WAIT_MS = 2_000;
/** The source of a ban, in the game's list. */
const SOURCE = 'Craftwarden';
const OP_LEVEL_DEFAULT = 4;

export type StoppedDeps = FileDeps & {
	/** Changes values of server.properties; called while the operations' lock is held. */
	editProperties: (changes: Record<string, string>) => Promise<void>;
	/** The operations' lock, for this service alone: others share it with theirs. */
	lock: Lock;
	operation: () => Operation | null;
	state: () => Promise<ServerState>;
	/** Probes now: true when a server answers, even if its process cannot be seen. */
	answers: () => Promise<boolean>;
	clock: Clock;
};

/** Does it in the files of a stopped server, which reads them at its next start. */
export async function byFiles(deps: StoppedDeps, command: PlayerCommand): Promise<Outcome> {
	if (isKick(command))
		throw new AppError('offline', 'The server is not running, so nobody can be kicked.');
	await enter(deps);
	try {
		// Under the lock the server cannot be started from here; what was seen before may have changed.
		await insistOnStopped(deps);
		return isSwitch(command) ? { changed: await turn(deps, command) } : await edit(deps, command);
	} finally {
		deps.lock.release();
	}
}

async function enter({ lock, operation }: StoppedDeps) {
	const running = operation();
	if (running) throw filesInUse(running);
	await lock.acquire(LOCK_WAIT_MS).catch((error) => {
		throw error instanceof AppError && error.kind === 'busy' ? filesInUse(operation()) : error;
	});
}

async function insistOnStopped({ state, answers }: StoppedDeps) {
	const now = await state();
	if (now !== 'stopped' && now !== 'crashed')
		throw (
			notNow(now) ?? new AppError('conflict', 'The server has just been started. Try again now.')
		);
	if (await answers())
		throw new AppError(
			'conflict',
			`${UNSEEN} Its files are left alone. Stop it where it was started, then try again.`
		);
}

async function turn(deps: StoppedDeps, command: SwitchCommand): Promise<boolean> {
	const enabled = whitelistEnabled(await deps.properties());
	if (enabled === null)
		throw new AppError('upstream', 'server.properties cannot be read. Nothing was changed.');
	if (enabled === wants(command)) return false;
	await deps.editProperties({ 'white-list': String(wants(command)) });
	return true;
}

async function edit(deps: StoppedDeps, command: ListCommand): Promise<Outcome> {
	const files = await deps.lists.read();
	const { profile, onlineMode } = await profileFor(deps, files, command.player);
	const { list, on } = LISTS[command.action];
	if (!on) {
		const leave = (entries: Listed[]) => leaving(meant(entries, command.player, profile));
		return { changed: await deps.lists.change(list, leave) };
	}
	if (!profile) throw unknownPlayer(command.player, onlineMode);
	const entry = await entryFor(deps, command, profile);
	const changed = await deps.lists.change(list, (entries: Listed[]): ListChange<ListName> | null =>
		entries.some(({ uuid }) => uuid === profile.uuid) ? null : { add: entry }
	);
	const note =
		profile.name === command.player ? undefined : `The server knows them as ${profile.name}.`;
	return { changed, note };
}

function leaving(found: Listed[]) {
	if (found.length === 0) return null;
	const spellings = new Set(found.map(({ name }) => name));
	if (spellings.size > 1 && new Set(found.map(({ uuid }) => uuid)).size > 1)
		throw invalidName(
			`Several players are called that: ${[...spellings].join(', ')}. Type the name exactly`
		);
	return { remove: found.map(({ uuid }) => uuid) };
}

async function entryFor(
	deps: StoppedDeps,
	command: ListCommand,
	profile: Profile
): Promise<NewEntry[ListName]> {
	if (command.action === 'ban')
		return { ...profile, reason: command.reason, source: SOURCE, at: deps.clock.now() };
	if (command.action !== 'op') return profile;
	const level = Number((await deps.properties())?.get('op-permission-level') ?? OP_LEVEL_DEFAULT);
	return { ...profile, level: [1, 2, 3, 4].includes(level) ? level : OP_LEVEL_DEFAULT };
}

const unknownPlayer = (name: string, onlineMode: boolean) =>
	invalidName(
		onlineMode
			? `The server checks accounts (online-mode) and has never seen ${name}, so the id of the account is not known here. Start the server and do it then: it asks Mojang`
			: `The server has never seen ${name}, and the id of a Bedrock player is not known before they have joined once`
	);

import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { PlayerCommand, PlayerCommands, Verdict } from '#minecraft/commands';
import type { Rcon } from '#minecraft/rcon';
import {
	invalidName,
	isKick,
	wants,
	type KickCommand,
	type ListCommand,
	type SwitchCommand
} from './action.ts';
import { hasChanged, membershipOf, type FileDeps, type ListMembership } from './list-membership.ts';
import { fileOf } from './labels.ts';

/** On a server with accounts an unknown name is looked up at Mojang before the answer comes. */
const ANSWER_MS = 10_000;
/** The game writes its lists while it carries out the command; a slow disk may need a moment more. */
const READ_BACK_MS = 2_000;
const LOOK_EVERY_MS = 100;
/** A kicked player is gone within a few ticks; the log is read every other second. */
const LEAVE_MS = 4_000;

export type ConsoleDeps = FileDeps & {
	rcon: Pick<Rcon, 'command'>;
	commands: PlayerCommands;
	/** Queried from the game and its log just now. */
	whereabouts: (player: string) => Promise<Whereabouts>;
	clock: Clock;
};
/** Whether they are online: null where the game does not say; and their last leave in the log. */
export type Whereabouts = { online: boolean | null; lastLeave: string | null };
export type Outcome = {
	changed: boolean;
	/** What else the person should know, a sentence. */
	note?: string;
};
/** `silent`: it was sent, and no answer came. */
type Heard = Omit<Verdict, 'result'> & { result: Verdict['result'] | 'silent'; cause?: unknown };

/** Makes a running server do it, then reads its files: what they do not show was not done. */
export async function byConsole(deps: ConsoleDeps, command: PlayerCommand): Promise<Outcome> {
	if (isKick(command)) return kick(deps, command);
	// A banned player is kicked: the next list of players must be one without them.
	const played = command.action === 'ban' ? await deps.whereabouts(command.player) : null;
	const before = await membershipOf(deps, command);
	const heard = await ask(deps, command);
	refuse(command, heard);
	const after = await readBack(deps, command, before, heard);
	const outcome = conclude(command, heard, before, after);
	if (outcome.changed && 'player' in command && played?.online)
		await hasLeft(deps, command, played);
	return outcome;
}

async function ask({ rcon, commands }: ConsoleDeps, command: PlayerCommand): Promise<Heard> {
	try {
		const answer = await rcon.command(commands.line(command), { timeoutMs: ANSWER_MS });
		return commands.verdict(command, answer);
	} catch (cause) {
		if (cause instanceof AppError && cause.code === 'outcome-unknown')
			return { result: 'silent', text: '', cause };
		throw cause;
	}
}

/** What the server itself refused to do. */
function refuse(command: PlayerCommand, { result, text }: Heard) {
	if (result === 'no-such-player' && 'player' in command)
		throw invalidName(
			`The server knows no player called ${command.player} and found no account of that name (“${text}”)`
		);
	if (result === 'error')
		throw new AppError('upstream', `The server did not understand the command: “${text}”.`);
}

/** A kick that worked is recognised by the leave; the wording of answers differs between games. */
async function kick(deps: ConsoleDeps, command: KickCommand): Promise<Outcome> {
	const before = await deps.whereabouts(command.player);
	const heard = await ask(deps, command);
	refuse(command, heard);
	if (heard.result === 'no-op') return { changed: false };
	const done = heard.result === 'done';
	const left = done && !before.online ? false : await hasLeft(deps, command, before);
	if (done) return { changed: true };
	if (left) return { changed: true, note: `${UNHEARD[heard.result]}, but ${command.player} left.` };
	if (before.online === false) return { changed: false };
	throw heard.result === 'silent' ? unseen(command, heard) : notUnderstood(command, heard);
}

/** Polls until they are gone, or for a short while. */
async function hasLeft(
	deps: ConsoleDeps,
	{ player }: { player: string },
	before: Whereabouts
): Promise<boolean> {
	const deadline = deps.clock.monotonicMs() + LEAVE_MS;
	for (;;) {
		const { online, lastLeave } = await deps.whereabouts(player);
		if (online === false) return before.online !== false;
		if (lastLeave !== before.lastLeave) return true;
		if (deps.clock.monotonicMs() >= deadline) return false;
		await deps.clock.sleep(LOOK_EVERY_MS);
	}
}

/** Polls until the files show it, or for a short while. */
async function readBack(
	deps: ConsoleDeps,
	command: ListCommand | SwitchCommand,
	before: ListMembership,
	{ result }: Heard
): Promise<ListMembership> {
	const deadline = deps.clock.monotonicMs() + READ_BACK_MS;
	for (;;) {
		const after = await membershipOf(deps, command);
		const arrived =
			after.on === wants(command) || (result !== 'no-op' && hasChanged(command, before, after));
		if (arrived || deps.clock.monotonicMs() >= deadline) return after;
		await deps.clock.sleep(LOOK_EVERY_MS);
	}
}

function conclude(
	command: ListCommand | SwitchCommand,
	heard: Heard,
	before: ListMembership,
	after: ListMembership
): Outcome {
	const so = after.on === wants(command);
	const changed = hasChanged(command, before, after);
	const note = noteOn(command, heard, after);
	if (heard.result === 'no-op') {
		if (so) return { changed: false };
		throw contradicted(command, heard);
	}
	if (heard.result === 'done') {
		if (so || changed) return { changed: true, note };
		throw notShown(command);
	}
	if (changed) return { changed: true, note };
	if (so) return { changed: false, note };
	throw heard.result === 'silent' ? unseen(command, heard) : notUnderstood(command, heard);
}

function noteOn(command: ListCommand | SwitchCommand, { result }: Heard, after: ListMembership) {
	if (!wants(command) && after.on)
		return `Another entry of that name is still in ${fileOf(command)}, under another id.`;
	const unheard = UNHEARD[result];
	return unheard && `${unheard}, but ${fileOf(command)} shows it.`;
}

const UNHEARD: Partial<Record<Heard['result'], string>> = {
	silent: 'No answer came',
	unknown: 'The answer was not understood'
};

const unseen = (command: PlayerCommand, { cause }: Heard) =>
	new AppError(
		'timeout',
		`The command was sent, but no answer came, and ${fileOf(command)} does not show it. It may still happen: look again before you repeat it.`,
		{ code: 'outcome-unknown', cause }
	);

const notUnderstood = (command: PlayerCommand, { text }: Heard) =>
	new AppError(
		'upstream',
		`The server answered ${text ? `“${text}”` : 'nothing'}, which the dashboard does not recognise as a success, and ${fileOf(command)} does not show it. Look at the server.`,
		{ code: 'not-verified' }
	);

const notShown = (command: PlayerCommand) =>
	new AppError(
		'upstream',
		`The server says that it is done, but ${fileOf(command)} does not show it, so it may be lost with the next restart. Check that the game may write that file and that the disk is not full.`,
		{ code: 'not-verified' }
	);

const contradicted = (command: PlayerCommand, { text }: Heard) =>
	new AppError(
		'upstream',
		`The server says that nothing is to be changed (“${text}”), but ${fileOf(command)} says otherwise: it was edited while the server ran, or it means another id of the same name. Stop the server and try again: what the file says counts at the next start.`,
		{ code: 'not-verified' }
	);

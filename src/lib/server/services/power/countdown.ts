import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Rcon } from '#minecraft/rcon';
import type { StepContext } from '#operations';

/** Seconds before the end at which players are told again. */
const MARKS_S = [1800, 600, 300, 60, 30, 10, 5, 4, 3, 2, 1];
/** The game refuses longer commands over RCON. */
const COMMAND_MAX_BYTES = 1446;
/** While this much is left, progress is told every second, before it every fifth. */
const CLOSE_S = 60;

type PowerAction = 'stop' | 'restart';
type Deps = { rcon: Pick<Rcon, 'command'>; clock: Clock };
type Countdown = {
	action: PowerAction;
	seconds: number;
	message: string;
	/** Asked every second: nobody is left who would have to wait. */
	isOver?: () => Promise<boolean>;
	/** The next process goes on with it when this one ends. */
	resumes?: boolean;
};

/** Tells the players repeatedly how long is left, and also when it is called off. False when it was over early. */
export async function countDown(
	ctx: StepContext,
	{ action, seconds, message, isOver, resumes = false }: Countdown,
	deps: Deps
): Promise<boolean> {
	const { clock } = deps;
	const endMs = clock.monotonicMs() + seconds * 1000;
	const tell = (left: number) =>
		announce(ctx, deps, `The server ${action}s in ${inWords(left)}. ${message}`);
	try {
		await tell(seconds);
		for (let left = seconds; left > 0;) {
			if (await isOver?.()) return false;
			if (left <= CLOSE_S || left % 5 === 0) ctx.progress(seconds - left, seconds, 's');
			await clock.sleep(Math.max(1, endMs - (left - 1) * 1000 - clock.monotonicMs()), ctx.signal);
			const now = Math.max(0, Math.ceil((endMs - clock.monotonicMs()) / 1000));
			if (now < left && MARKS_S.includes(now)) await tell(now);
			left = Math.min(left, now);
		}
		return true;
	} catch (error) {
		const goesOn = resumes && isClosing(ctx.signal);
		if (ctx.signal.aborted && !goesOn) await announce(null, deps, `The ${action} was called off.`);
		throw error;
	}
}

/** The program ends; nobody has called anything off. */
const isClosing = ({ reason }: AbortSignal) => reason instanceof AppError && reason.kind === 'busy';

/** A server that cannot be told is still stopped in time: the step says so. Without `ctx` it is the last message. */
async function announce(ctx: StepContext | null, { rcon }: Deps, text: string) {
	try {
		await rcon.command(announcement(text), ctx ? { signal: ctx.signal } : {});
		ctx?.detail('Announced in game.');
	} catch (error) {
		ctx?.signal.throwIfAborted();
		if (!(error instanceof AppError)) throw error;
		ctx?.detail(`Not announced in game: ${error.message}`);
	}
}

/** People's words reach the game only as JSON. Formatting and direction marks are not words. */
export function announcement(text: string): string {
	const clean = text
		.toWellFormed()
		.replace(/[§\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')
		.trim();
	const command = (words: string) =>
		`tellraw @a ${JSON.stringify({ text: words, color: 'yellow' })}`;
	let words = [...clean];
	while (Buffer.byteLength(command(words.join(''))) > COMMAND_MAX_BYTES)
		words = words.slice(0, -10);
	return command(words.join(''));
}

function inWords(seconds: number): string {
	const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
	const count = (n: number, unit: string) => `${n} ${unit}${n === 1 ? '' : 's'}`;
	if (minutes === 0) return count(rest, 'second');
	return rest === 0
		? count(minutes, 'minute')
		: `${count(minutes, 'minute')} ${count(rest, 'second')}`;
}

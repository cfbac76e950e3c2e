import { tellAnswer } from '#schemas/plain/words/tell-answer';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Rcon } from '#minecraft/rcon';
import type { Run, Runtime, RuntimeState } from '#runtime';
import type { StepContext } from '#operations';

/** Seconds before the end at which players are told again. */
const MARKS_S = [1800, 600, 300, 60, 30, 10, 5, 4, 3, 2, 1];
/** The game refuses longer commands over RCON. */
const COMMAND_MAX_BYTES = 1446;
/** While this much is left, progress is told every second, before it every fifth. */
const CLOSE_S = 60;

type PowerAction = 'stop' | 'restart';
type Deps = {
	rcon: Pick<Rcon, 'command'>;
	clock: Clock;
	/** The game has accepted these words for its players. */
	announced: (text: string) => void;
};
type Countdown = {
	action: PowerAction;
	/** For whose players it is; null for a run that is yet to come. */
	run: Run | null;
	seconds: number;
	message: string;
	/** Asked every second: why nobody is left who would have to wait; null while somebody may be. */
	over?: () => Promise<string | null>;
	/** The next process goes on with it when this one ends. */
	resumes?: boolean;
};

/** What an operation remembers of its countdown, and of what followed: the run when it began, and when it ended. */
type Memory = {
	countdown?: { action: PowerAction; run: string };
	announced?: { run: string };
	calledOff?: boolean;
	/** The run that was told to stop: then it is too late. */
	told?: string;
	stopSent?: boolean;
};

/** Tells the players repeatedly how long is left, and also when it is called off. Why it was over early, or null. */
export async function countDown(
	ctx: StepContext,
	{ action, run, seconds, message, over, resumes = false }: Countdown,
	deps: Deps
): Promise<string | null> {
	const { clock } = deps;
	if (run) await ctx.remember({ countdown: { action, run: run.id } } satisfies Memory);
	const endMs = clock.monotonicMs() + seconds * 1000;
	const endsAt = new Date(clock.now().getTime() + seconds * 1000).toISOString();
	await ctx.report({ countsDownTo: endsAt });
	const tell = (left: number) =>
		announce(ctx, deps, { text: `The server ${action}s in ${inWords(left)}. ${message}` });
	try {
		await tell(seconds);
		for (let left = seconds; left > 0;) {
			const why = await over?.();
			if (why) return why;
			if (left <= CLOSE_S || left % 5 === 0) ctx.progress(seconds - left, seconds, 's');
			await clock.sleep(Math.max(1, endMs - (left - 1) * 1000 - clock.monotonicMs()), ctx.signal);
			const now = Math.max(0, Math.ceil((endMs - clock.monotonicMs()) / 1000));
			if (now < left && MARKS_S.includes(now)) await tell(now);
			left = Math.min(left, now);
		}
		return null;
	} catch (error) {
		const goesOn = resumes && isClosing(ctx.signal);
		if (ctx.signal.aborted && !goesOn) await tellOff(ctx, deps, action);
		throw error;
	}
}

type LeftDeps = {
	runtime: Pick<Runtime, 'state'>;
	/** Null when unknown. */
	playersOnline: () => Promise<number | null>;
};

/**
 * Why nobody is left to be warned: the server has ended, or whoever played has left. An empty server that somebody
 * wished a countdown for has it.
 */
export function nobodyLeft({ runtime, playersOnline }: LeftDeps): () => Promise<string | null> {
	let played = false;
	return async () => {
		const engine = await runtime.state();
		if (engine.phase !== 'unknown' && !runsOrWill(engine)) return ENDED;
		const online = await playersOnline();
		if (online) played = true;
		return played && online === 0 ? LEFT : null;
	};
}
const ENDED = 'The server has ended in the meantime, so there is no need to wait.';
const LEFT = 'Nobody is playing any more, so there is no need to wait.';

/** Also without a run, while the engine is about to start one. */
export const runsOrWill = ({ run, wanted }: RuntimeState) => run !== null || wanted === 'up';

/**
 * When nothing comes of a countdown that has ended or was cut off: tells the players of that run so, unless it was told
 * to stop. True when they were told. May be repeated.
 */
export async function callOff(
	ctx: StepContext,
	deps: Deps & { runtime: Pick<Runtime, 'state'> }
): Promise<boolean> {
	const { countdown, announced, calledOff, told, stopSent } = ctx.checkpoint as Memory;
	const awaited = announced?.run ?? countdown?.run;
	if (!countdown || calledOff || stopSent || told === awaited) return false;
	const { run } = await deps.runtime.state();
	if (run?.id !== awaited) return false;
	await tellOff(ctx, deps, countdown.action);
	return true;
}

async function tellOff(ctx: StepContext, deps: Deps, action: PowerAction) {
	await announce(ctx, deps, { text: `The ${action} was called off.`, isLast: true });
	// On a full disk they may be told twice.
	await ctx.remember({ calledOff: true } satisfies Memory).catch(() => {});
}

/** The program ends; nobody has called anything off. */
const isClosing = ({ reason }: AbortSignal) => reason instanceof AppError && reason.kind === 'busy';

/** A server that cannot be told is still stopped in time: the step says so. The last message is sent in any case. */
async function announce(
	ctx: StepContext,
	{ rcon, clock, announced }: Deps,
	{ text, isLast = false }: { text: string; isLast?: boolean }
) {
	const words = sayable(text);
	try {
		const answer = await rcon.command(tellraw(words), isLast ? {} : { signal: ctx.signal });
		const { heard, refusal } = tellAnswer(answer);
		if (refusal) return ctx.detail(`Not announced: the server did not accept it. ${refusal}`);
		announced(words);
		ctx.announced({ text: words, at: clock.now().toISOString() });
		ctx.detail(
			heard ? 'Announced in game.' : 'Announced in game, where nobody was there to read it.'
		);
	} catch (error) {
		if (!isLast) ctx.signal.throwIfAborted();
		if (!(error instanceof AppError)) throw error;
		ctx.detail(`Not announced in game: ${error.message}`);
	}
}

/** People's words reach the game only as JSON. */
const tellraw = (words: string) => `tellraw @a ${JSON.stringify({ text: words, color: 'yellow' })}`;

/** Formatting and direction marks are not words, and what is too long for a command is cut. */
function sayable(text: string): string {
	const clean = text
		.toWellFormed()
		.replace(/[§\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')
		.trim();
	let words = [...clean];
	while (Buffer.byteLength(tellraw(words.join(''))) > COMMAND_MAX_BYTES)
		words = words.slice(0, -10);
	return words.join('');
}

export const announcement = (text: string) => tellraw(sayable(text));

function inWords(seconds: number): string {
	const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
	const count = (n: number, unit: string) => `${n} ${unit}${n === 1 ? '' : 's'}`;
	if (minutes === 0) return count(rest, 'second');
	return rest === 0
		? count(minutes, 'minute')
		: `${count(minutes, 'minute')} ${count(rest, 'second')}`;
}

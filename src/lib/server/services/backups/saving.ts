import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { noBackupIn } from '#schemas/plain/no-backup';
import { AppError } from '#core/errors';
import type { Clock } from '#core/clock';
import { readTextIfExists, writeAtomic } from '#core/files';
import { ProcessId } from '#core/process';
import type { Installation } from '#minecraft/folder';
import type { Rcon } from '#minecraft/rcon';
import type { ServerControl } from '#operations';

/** Why the files do not change: the server is not running, or its saving is off. */
export type Mode = 'stopped' | 'running';

/**
 * Pauses the game's saving and makes sure that it resumes, whatever happens to the dashboard: a note is written to disk
 * before saving is turned off, and any process that finds a note without its holder turns saving on.
 */
export interface Saving {
	/** Everything is on disk when it resolves. `AppError` says why not; then saving is on, or is being turned on. */
	pause(
		tell: (text: string) => void,
		signal: AbortSignal
	): Promise<{ mode: Mode; warning: string | null }>;
	/** `gone`: it is a different server run, or none; `unconfirmed`: it is tried again in the background. */
	resume(): Promise<'on' | 'gone' | 'unconfirmed'>;
	/** Looks for a note whose holder is gone, and acts on it. */
	tend(): Promise<void>;
	/** Since when saving should be on without being known to be; null when all is well. */
	readonly alarm: { since: string } | null;
}

/**
 * `holder` is the dashboard process that asked for it, `server` the game's run; earlier versions wrote two processes.
 */
const Note = z.object({ since: z.string(), holder: ProcessId, server: ProcessId });
type Note = z.infer<typeof Note>;

export type SavingDeps = {
	dataDir: string;
	server: Pick<ServerControl, 'observe' | 'run' | 'ensureStopped'>;
	installation: () => Promise<Pick<Installation, 'rcon'>>;
	rcon: Pick<Rcon, 'command'>;
	processes: { own: string; lives: (id: string) => boolean };
	log: {
		warn(message: string, facts?: object): void;
		error(message: string, facts?: object): void;
	};
	clock: Clock;
};

const COMMAND_MS = 10_000;
/** Enough for a large world on a slow disk; the game's watchdog kills the game when a tick takes 60 s. */
const FLUSH_LIMIT_MS = 5 * 60_000;
const ALARM_AFTER_MS = 60_000;
/** Between two attempts to turn saving on, doubled after each one. */
const RETRY_MS = { first: 3_000, last: 60_000 };

export function createSaving(deps: SavingDeps): Saving {
	const { server, rcon, processes, clock, log } = deps;
	const file = path.join(deps.dataDir, 'saving-off.json');
	/** This process wants saving to be off right now. */
	let wanted = false;
	/** The game has not confirmed that it is saving again. */
	let doubt: { sinceMs: number; cause: unknown; waitMs: number; retryAtMs: number } | null = null;
	let told = false;
	let alarm: { since: string } | null = null;

	const read = async (): Promise<Note | null> => {
		const text = await readTextIfExists(file);
		if (text === null) return null;
		try {
			return Note.parse(JSON.parse(text));
		} catch {
			// It can only refer to the server that is running now, if any.
			return {
				since: clock.now().toISOString(),
				holder: NOBODY,
				server: (await server.run())?.id ?? NOBODY
			};
		}
	};
	const settled = async () => {
		[wanted, told] = [false, false];
		[doubt, alarm] = [null, null];
		await rm(file, { force: true });
	};
	const unconfirmed = (cause: unknown) => {
		const nowMs = clock.monotonicMs();
		const waitMs = doubt ? Math.min(doubt.waitMs * 2, RETRY_MS.last) : RETRY_MS.first;
		doubt = { sinceMs: doubt?.sinceMs ?? nowMs, cause, waitMs, retryAtMs: nowMs + waitMs };
	};
	const raiseAlarm = (since: string) => {
		if (alarm || !doubt || doubt.sinceMs + ALARM_AFTER_MS > clock.monotonicMs()) return;
		alarm = { since };
		log.error('The game has not confirmed that it saves again', { since, cause: doubt.cause });
	};

	async function turnOn(note: Note): Promise<'on' | 'gone' | 'unconfirmed'> {
		if ((await server.run())?.id !== note.server) {
			await settled();
			return 'gone';
		}
		try {
			const answer = await rcon.command('save-on', { timeoutMs: COMMAND_MS, repeatable: true });
			if (isTrouble(answer)) throw new AppError('upstream', `It answered: ${answer.slice(0, 200)}`);
			await settled();
			return 'on';
		} catch (cause) {
			if (!(cause instanceof AppError)) throw cause;
			unconfirmed(cause);
			raiseAlarm(note.since);
			return 'unconfirmed';
		}
	}

	const resume = async () => {
		wanted = false;
		const note = await read();
		return note ? turnOn(note) : 'on';
	};

	async function tend() {
		if (wanted || !existsSync(file)) return;
		const note = await read();
		if (!note || wanted) return;
		const { own, lives } = processes;
		if (note.holder !== own && lives(note.holder)) return;
		raiseAlarm(note.since);
		if (doubt && clock.monotonicMs() < doubt.retryAtMs) return;
		if (!told) log.warn('Saving was left off: it is turned on again', { since: note.since });
		told = true;
		await turnOn(note);
	}

	/**
	 * Returns a warning, or null. The note is removed when saving is unchanged: nothing was sent, or the game refused.
	 */
	async function turnOff(note: Note, signal: AbortSignal): Promise<string | null> {
		const left = await read();
		await writeAtomic(file, `${JSON.stringify(note)}\n`);
		const mine = !left || left.server !== note.server;
		const answer = await rcon
			.command('save-off', { timeoutMs: COMMAND_MS, signal })
			.catch(async (cause) => {
				if (mine && wasNotSent(cause)) await settled();
				throw cause;
			});
		if (isTrouble(answer)) {
			if (mine) await settled();
			throw new AppError('upstream', `The game does not pause its saving: ${answer.slice(0, 200)}`);
		}
		// Somebody turned it off, and may still want that; unless we left it off and our save-on was not confirmed.
		const theirs = /already/i.test(answer) && mine;
		if (theirs) await rm(file, { force: true });
		return theirs ? ALREADY_OFF : null;
	}

	async function flush(tell: (text: string) => void, signal: AbortSignal) {
		tell('The game writes everything to the disk.');
		const answer = await rcon.command('save-all flush', { timeoutMs: FLUSH_LIMIT_MS, signal });
		if (isTrouble(answer))
			throw new AppError('upstream', `The game could not save everything: ${answer.slice(0, 200)}`);
	}

	async function pause(tell: (text: string) => void, signal: AbortSignal) {
		await tend();
		const { state, run } = await server.observe();
		if (!run && (state === 'stopped' || state === 'crashed')) {
			await server.ensureStopped();
			return { mode: 'stopped', warning: null } as const;
		}
		if (!run || state !== 'running')
			throw new AppError('conflict', noBackupIn(state) ?? noBackupIn('unknown')!);
		const { enabled: on } = (await deps.installation()).rcon;
		const why = noBackupIn(state, { on });
		if (why) throw new AppError('conflict', why);
		const note: Note = {
			since: clock.now().toISOString(),
			holder: processes.own,
			server: run.id
		};
		wanted = true;
		try {
			const warning = await turnOff(note, signal);
			await flush(tell, signal);
			return { mode: 'running', warning } as const;
		} catch (error) {
			await resume();
			throw error;
		}
	}

	return {
		pause,
		resume,
		tend,
		get alarm() {
			return alarm;
		}
	};
}

const NOBODY = '';
const isTrouble = (answer: string) =>
	/unknown (or incomplete )?command|unexpected error|failed|unable to/i.test(answer);

const wasNotSent = (cause: unknown) =>
	cause instanceof AppError && (cause.kind === 'offline' || cause.kind === 'busy');

const ALREADY_OFF =
	'Saving was off before: somebody had turned it off, and it was left so. Turn it on with save-on unless that is meant.';

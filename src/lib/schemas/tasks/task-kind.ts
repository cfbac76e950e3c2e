import type { z } from 'zod';
import type { Role } from '../common.ts';

/** What a task may do, as plain functions. Each rejects with a sentence for people when it cannot do it. */
export interface TaskContext {
	/** Sends one line to the game's console; fails when the server is off. */
	command(line: string): Promise<void>;
	/** The same for a line that a superadmin wrote: it is recorded in the audit log. */
	console(line: string): Promise<void>;
	/** Makes a backup and waits until it is done; returns the id of its operation. */
	backup(): Promise<string>;
	/** Keeps the newest snapshots and the pinned ones. */
	prune(keep: number): Promise<{ removed: number }>;
	/** Waits until it is done; `TaskSkipped` when the server is in that state already. */
	power(action: 'start' | 'stop' | 'restart', delaySeconds: number): Promise<void>;
	/** Null when it runs but does not say; 0 when it does not run. */
	playersOnline(): Promise<number | null>;
	/** Waits; `why` is told to whoever has asked for the task by hand. */
	wait(ms: number, why: string): Promise<void>;
	/** The mods that have updates, as `Lithium 0.13 → 0.14`; asks the registry now. */
	checkMods(): Promise<string[]>;
	/** Updates all mods that may be updated and waits until that is done; returns them, none when there was nothing. */
	updateMods(): Promise<string[]>;
}

/** Thrown by a task that must not run, with a message for the person who scheduled it. */
export class TaskRefused extends Error {}

/** Thrown when there is nothing to do this time, with the reason: that is no failure. */
export class TaskSkipped extends Error {}

/** What the form draws for one option; with `when` only while another field has that value. */
export type TaskField = { label: string; hint?: string; when?: { field: string; is: string } } & (
	| { input: 'text'; maxLength: number }
	| { input: 'number'; min: number; max: number; unit?: string; value: number }
	| { input: 'select'; choices: { value: string; label: string }[] }
);

export type TaskIcon =
	'announce' | 'archive' | 'package' | 'power' | 'prune' | 'restart' | 'terminal';

/**
 * One type of task: an object in a file of its own, and a line in `index.ts`. The browser draws its fields, the server
 * checks its options and runs it, a crontab line holds `--name value` for each option.
 */
export interface TaskKind<
	Type extends string = string,
	Options extends z.ZodRawShape = z.ZodRawShape
> {
	type: Type;
	label: string;
	icon: TaskIcon;
	/**
	 * It takes long or concerns the whole server: the running dashboard does it where there is one, and a trigger does
	 * it only a few times an hour.
	 */
	long?: true;
	/** Who may have anything to do with such a task; every admin by default. */
	role?: Role;
	/** What a new task takes besides its schedule. */
	options: Options;
	/**
	 * For lines that are older than today's rules, or were edited by hand: accepts their values and corrects them as
	 * far as possible. Without it, a line holds what a new task takes.
	 */
	stored?: z.ZodType<Values<Options>>;
	/** By option; an option that two types share looks the same in both. */
	fields: { [Option in keyof Options]: TaskField };
	/** Whether it disconnects those who play: run by hand, it asks first. */
	disconnects?(options: Values<Options>): boolean;
	/** What it does, as the second half of a sentence: `announce “Hello”`. */
	does(options: Values<Options>): string;
	/** Runs it to its end. Returns what was done, in a sentence. */
	run(options: Values<Options>, context: TaskContext): Promise<string>;
}

type Values<Options extends z.ZodRawShape> = z.output<z.ZodObject<Options>>;

export const defineTask = <const Type extends string, Options extends z.ZodRawShape>(
	kind: TaskKind<Type, Options>
) => kind;

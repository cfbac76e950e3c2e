import type { z } from 'zod';

/** What a task may do, as plain functions. Each rejects with a sentence for people when it cannot do it. */
export interface TaskContext {
	/** Sends one line to the game's console; fails when the server is off. */
	command(line: string): Promise<void>;
	/** Makes a backup and waits until it is done; returns the id of its operation. */
	backup(): Promise<string>;
	/** Keeps the newest snapshots and the pinned ones. */
	prune(keep: number): Promise<{ removed: number }>;
}

/** Thrown by a task that must not run, with a message for the person who scheduled it. */
export class TaskRefused extends Error {}

/** What the form draws for one option. */
export type TaskField = { label: string; hint?: string } & (
	| { input: 'text'; maxLength: number }
	| { input: 'number'; min: number; max: number; unit?: string; value: number }
	| { input: 'select'; choices: { value: string; label: string }[] }
);

export type TaskIcon = 'announce' | 'archive' | 'package' | 'power' | 'prune' | 'terminal';

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
	/** What a new task takes besides its schedule. */
	options: Options;
	/**
	 * For lines that are older than today's rules, or were edited by hand: accepts their values and corrects them as
	 * far as possible. Without it, a line holds what a new task takes.
	 */
	stored?: z.ZodType<Values<Options>>;
	/** By option; an option that two types share looks the same in both. */
	fields: { [Option in keyof Options]: TaskField };
	/** Its options in words; empty when it has none. */
	facts(options: Values<Options>): string;
	/** Runs it to its end. Returns what was done, in a sentence. */
	run(options: Values<Options>, context: TaskContext): Promise<string>;
}

type Values<Options extends z.ZodRawShape> = z.output<z.ZodObject<Options>>;

export const defineTask = <const Type extends string, Options extends z.ZodRawShape>(
	kind: TaskKind<Type, Options>
) => kind;

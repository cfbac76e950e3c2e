import type { z } from 'zod';
import type { TaskField } from '../tasks/index.ts';

/** One kind of event that a trigger may wait for: an object in `index.ts`. Detecting it is the server's part. */
export interface EventKind<
	Event extends string = string,
	Options extends z.ZodRawShape = z.ZodRawShape
> {
	event: Event;
	/** As the form offers it. */
	label: string;
	/** It needs to know who plays and how fast the game ticks, every few seconds. */
	looks?: true;
	/** Players cause it, so it may happen often; anything else that happens often is a loop. */
	byPlayers?: true;
	options: Options;
	fields: { [Option in keyof Options]: TaskField };
	/** The first half of a sentence: `When a backup fails`. */
	when(options: z.output<z.ZodObject<Options>>): string;
}

export const defineEvent = <const Event extends string, Options extends z.ZodRawShape>(
	kind: EventKind<Event, Options>
) => kind;

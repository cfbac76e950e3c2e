import { z } from 'zod';

/** One thing that a server needs before the dashboard can run it. */
export const SetupStep = z.object({
	id: z.enum(['server', 'command', 'eula', 'rcon']),
	title: z.string(),
	done: z.boolean(),
	/** A server can be set up by the dashboard, under Software. */
	here: z.boolean().optional(),
	/** All has been done for it, but it is not true yet. */
	waits: z.boolean().optional(),
	/** What is there, or what is missing and what to do. */
	detail: z.string(),
	/** To be put into a file by hand. */
	lines: z.array(z.string()),
	/** What the dashboard can do itself. */
	action: z.enum(['acceptEula', 'enableRcon']).nullable()
});
export type SetupStep = z.infer<typeof SetupStep>;

/** Why the server cannot be started at all, for every page that would offer it. */
export type Unready = {
	/** Whether there is one in the folder: without it nothing can be changed or backed up either. */
	server: boolean;
	/** One sentence; the guide on the overview says what to do. */
	why: string;
};

/** The box that a person ticks: accepting the agreement is up to them. */
export const EulaAccept = z.strictObject({
	agree: z.literal('on', 'Read the EULA and tick the box first.')
});

import { z } from 'zod';
import { checkbox, oneLine, wholeNumber } from './common.ts';
import { DELAY_MAX_S } from './plain/delay.ts';

export const ANNOUNCEMENT_MAX = 120;

/** A countdown announced in game, with the admin's words. */
export const delaySeconds = wholeNumber(0, DELAY_MAX_S).optional();
export const announcement = oneLine(ANNOUNCEMENT_MAX);
/** Of every change that stops a running server for a while; at once, and in our own words, by default. */
export const countdownFields = { delaySeconds, message: announcement.optional() };
export const CountdownRequest = z.strictObject(countdownFields);
export type CountdownRequest = z.infer<typeof CountdownRequest>;

/** Body of start, stop and restart. */
export const PowerRequest = z.strictObject({
	delaySeconds: delaySeconds.default(0),
	message: announcement.default('')
});
export type PowerRequest = z.infer<typeof PowerRequest>;

/** Start although the world does not fit the game; this once. */
export const StartRequest = PowerRequest.extend({ despiteWorld: z.boolean().default(false) });
export type StartRequest = z.infer<typeof StartRequest>;
export const StartForm = PowerRequest.extend({ despiteWorld: checkbox });

/**
 * `kill`: a server that had stopped responding and has not ended within a minute of being told to is killed, which loses
 * what it has not saved.
 */
export const RestartRequest = PowerRequest.extend({ kill: z.boolean().default(false) });
export type RestartRequest = z.infer<typeof RestartRequest>;
export const RestartForm = PowerRequest.extend({ kill: checkbox });

export const Empty = z.strictObject({});

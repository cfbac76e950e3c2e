import { z } from 'zod';
import { checkbox, oneLine, wholeNumber } from './common.ts';

const DELAY_MAX_S = 3600;
export const ANNOUNCEMENT_MAX = 120;

/** Body of start, stop and restart: a countdown announced in game, with the admin's words. */
export const PowerRequest = z.strictObject({
	delaySeconds: wholeNumber(0, DELAY_MAX_S).optional().default(0),
	message: oneLine(ANNOUNCEMENT_MAX).default('')
});
export type PowerRequest = z.infer<typeof PowerRequest>;

/** Start although the world does not fit the game; this once. */
export const StartRequest = PowerRequest.extend({ despiteWorld: z.boolean().default(false) });
export type StartRequest = z.infer<typeof StartRequest>;
export const StartForm = PowerRequest.extend({ despiteWorld: checkbox });

export const Empty = z.strictObject({});

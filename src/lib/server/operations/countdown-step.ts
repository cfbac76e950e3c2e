import type { StepPlan } from './definition.ts';
import type { Countdown, ServerControl } from './server-control.ts';

/** The countdown that somebody wishes; null for none. */
export const countdownOf = ({ delaySeconds, message = '' }: Wish): Countdown | null =>
	delaySeconds ? { seconds: delaySeconds, message } : null;
type Wish = { delaySeconds?: number | undefined; message?: string | undefined };

/**
 * Before the step that stops the server: nothing where no countdown is wished. `words` stand for an empty message. A
 * rollback that finds the server untouched has to call it off (`callOff`).
 */
export const countdownStep = (
	server: Pick<ServerControl, 'countDown' | 'callOff'>,
	countdown: Countdown | null | undefined,
	words: string
): StepPlan[] =>
	countdown
		? [
				{
					id: 'countdown',
					label: 'Announce and wait',
					cancellable: true,
					announces: true,
					// Which a backup right before it has held.
					releases: true,
					afterCrash: 'resume',
					run: (ctx) =>
						server.countDown(ctx, { ...countdown, message: countdown.message || words }),
					/** For one that is cancelled when it has just ended. */
					async undo(ctx) {
						if (!(await server.callOff(ctx))) ctx.skip();
					}
				}
			]
		: [];

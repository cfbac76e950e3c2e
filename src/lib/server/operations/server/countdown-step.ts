import type { StepContext, StepPlan } from '../definition.ts';
import type { Countdown, ServerControl } from './control.ts';

/** The countdown that somebody wishes; null for none. */
export const countdownOf = ({ delaySeconds, message = '' }: Wish): Countdown | null =>
	delaySeconds ? { seconds: delaySeconds, message } : null;
type Wish = { delaySeconds?: number | undefined; message?: string | undefined };

/** Players are told for a while; when it is cancelled after that, they are told so. `callOff`: true when they were. */
export const announcing = (
	run: StepPlan['run'],
	callOff: (ctx: StepContext) => Promise<boolean>
): StepPlan => ({
	id: 'countdown',
	label: 'Announce and wait',
	cancellable: true,
	announces: true,
	run,
	async undo(ctx) {
		if (!(await callOff(ctx))) ctx.skip();
	}
});

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
					...announcing(
						(ctx) => server.countDown(ctx, { ...countdown, message: countdown.message || words }),
						server.callOff
					),
					// Which a backup right before it has held.
					releases: true,
					afterCrash: 'resume'
				}
			]
		: [];

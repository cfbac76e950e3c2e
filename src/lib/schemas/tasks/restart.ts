import { z } from 'zod';
import { wholeNumber } from '../common.ts';
import { DELAY_MAX_S } from '../plain/delay.ts';
import { defineTask, TaskSkipped, type TaskContext } from './task-kind.ts';

const WAIT_MAX_MIN = 720;
const WAIT_DEFAULT_MIN = 60;
const LOOK_EVERY_MS = 10_000;
const MINUTE_MS = 60_000;

export const restart = defineTask({
	type: 'restart',
	label: 'Restart',
	icon: 'restart',
	long: true,
	options: {
		delaySeconds: wholeNumber(0, DELAY_MAX_S).optional().default(0),
		whenEmpty: z.enum(['only', 'wait']).optional(),
		waitMinutes: wholeNumber(1, WAIT_MAX_MIN).optional()
	},
	fields: {
		delaySeconds: {
			input: 'number',
			label: 'Warn players',
			hint: 'By a countdown in the game beforehand; 0 for none.',
			min: 0,
			max: DELAY_MAX_S,
			unit: 'seconds',
			value: 60
		},
		whenEmpty: {
			input: 'select',
			label: 'If somebody is playing',
			choices: [
				{ value: '', label: 'Restart anyway' },
				{ value: 'only', label: 'Skip it this time' },
				{ value: 'wait', label: 'Wait until nobody is playing' }
			]
		},
		waitMinutes: {
			input: 'number',
			label: 'Wait for at most',
			hint: 'If somebody is still playing then, it is skipped this time.',
			when: { field: 'whenEmpty', is: 'wait' },
			min: 1,
			max: WAIT_MAX_MIN,
			unit: 'minutes',
			value: WAIT_DEFAULT_MIN
		}
	},
	disconnects: ({ whenEmpty }) => !whenEmpty,
	does({ delaySeconds, whenEmpty, waitMinutes = WAIT_DEFAULT_MIN }) {
		const when = {
			only: ' when nobody plays',
			wait: ` as soon as nobody plays, skipped if somebody still does after ${waitMinutes} min`
		};
		const announced = delaySeconds ? `, announced ${delaySeconds} s before` : '';
		return `restart${whenEmpty ? when[whenEmpty] : ''}${announced}`;
	},
	async run({ delaySeconds, whenEmpty, waitMinutes = WAIT_DEFAULT_MIN }, context) {
		if (whenEmpty) await untilEmpty(context, whenEmpty === 'wait' ? waitMinutes : 0);
		await context.power('restart', delaySeconds);
		return 'The server was restarted.';
	}
});

async function untilEmpty({ playersOnline, wait }: TaskContext, minutes: number) {
	for (let leftMs = minutes * MINUTE_MS; ; leftMs -= LOOK_EVERY_MS) {
		const online = await playersOnline();
		if (online === 0) return;
		const who =
			online === null
				? 'It is not known whether somebody plays'
				: online === 1
					? 'One player is online'
					: `${online} players are online`;
		if (leftMs <= 0) throw new TaskSkipped(`${who}, so the server was not restarted.`);
		await wait(
			LOOK_EVERY_MS,
			`${who}: it restarts once nobody is playing, within ${minutes} minutes.`
		);
	}
}

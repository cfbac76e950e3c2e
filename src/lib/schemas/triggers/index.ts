import { z } from 'zod';
import { wholeNumber } from '../common.ts';
import { defineEvent } from './event-kind.ts';

export type { EventKind } from './event-kind.ts';

const MINUTES_MAX = 1440;
const TPS_MAX = 20;
const NAME_MAX = 32;

export const minutes = wholeNumber(1, MINUTES_MAX);
const minutesField = {
	input: 'number',
	label: 'For at least',
	min: 1,
	max: MINUTES_MAX,
	unit: 'minutes',
	value: 10
} as const;
const span = (count: number) => (count === 1 ? 'a minute' : `${count} minutes`);

/** Every event that a trigger may wait for, in the order of the form. */
export const EVENT_KINDS = [
	defineEvent({
		event: 'ready',
		label: 'The server is ready',
		options: {},
		fields: {},
		when: () => 'When the server is ready'
	}),
	defineEvent({
		event: 'crashed',
		label: 'The server crashes',
		options: {},
		fields: {},
		when: () => 'When the server crashes'
	}),
	defineEvent({
		event: 'empty',
		label: 'Nobody plays any more',
		looks: true,
		options: { minutes },
		fields: { minutes: minutesField },
		when: ({ minutes: count }) => `When nobody has played for ${span(count)}`
	}),
	defineEvent({
		event: 'first-joined',
		label: 'The first player joins',
		looks: true,
		byPlayers: true,
		options: {},
		fields: {},
		when: () => 'When a player joins the empty server'
	}),
	defineEvent({
		event: 'joined',
		label: 'A certain player joins',
		looks: true,
		byPlayers: true,
		options: {
			name: z
				.string()
				.trim()
				.min(1, 'Type the player’s name')
				.max(NAME_MAX, `At most ${NAME_MAX} characters`)
				.regex(/^[\w.*+-]+$/, 'A player’s name, as the game shows it')
		},
		fields: { name: { input: 'text', label: 'Player', maxLength: NAME_MAX } },
		when: ({ name }) => `When ${name} joins`
	}),
	defineEvent({
		event: 'tps-low',
		label: 'The game runs slowly',
		looks: true,
		options: {
			below: z.preprocess(
				(value) =>
					typeof value === 'string' && /^\d{1,2}([.,]\d+)?$/.test(value)
						? Number(value.replace(',', '.'))
						: value,
				z.number('A number').min(1, 'At least 1').max(TPS_MAX, `At most ${TPS_MAX}`)
			),
			minutes
		},
		fields: {
			below: {
				input: 'number',
				label: 'Slower than',
				hint: 'Ticks per second; 20 is full speed.',
				min: 1,
				max: TPS_MAX,
				unit: 'TPS',
				value: 15
			},
			minutes: minutesField
		},
		when: ({ below, minutes: count }) =>
			`When the game runs at less than ${below} TPS for ${span(count)}`
	}),
	defineEvent({
		event: 'backup-failed',
		label: 'A backup fails',
		options: {},
		fields: {},
		when: () => 'When a backup fails'
	})
] as const;

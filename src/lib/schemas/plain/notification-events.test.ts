import { expect, test } from 'vitest';
import { NOTIFICATION_EVENT_NAMES, tellWords, USUAL_EVENTS } from './notification-events.ts';

test.each([
	[[], 'Discord is told nothing'],
	[['backup.failed'], 'When a backup fails, tell Discord'],
	[['backup.failed', 'disk.low'], 'When a backup fails or a disk is nearly full, tell Discord'],
	[
		['server.crashed', 'backup.failed', 'disk.low'],
		'When the server crashes, or in 2 other cases, tell Discord'
	],
	[USUAL_EVENTS, 'When something needs attention, tell Discord'],
	[NOTIFICATION_EVENT_NAMES, 'When the server crashes, or in 20 other cases, tell Discord']
] as const)('%j: %s', (events, words) => {
	expect(tellWords(events, 'Discord')).toBe(words);
});

/** Characters of a channel's name. */
export const CHANNEL_NAME_MAX = 60;

type EventFacts = {
	label: string;
	/** “When …, tell Discord”. */
	when: string;
	/** A new channel gets it unless told otherwise. */
	usual: boolean;
};
/** Every event that can be reported, in the order of a form. */
export const NOTIFICATION_EVENTS = {
	'server.crashed': { label: 'The server crashed', when: 'the server crashes', usual: true },
	'server.back': { label: 'It is back', when: 'the server is back', usual: true },
	'server.gave-up': {
		label: 'It is left off after too many crashes',
		when: 'the server is left off',
		usual: true
	},
	'server.hanging': {
		label: 'It stopped responding',
		when: 'the server stops responding',
		usual: true
	},
	'mods.rolled-back': {
		label: 'A change to the mods was rolled back',
		when: 'a change to the mods is rolled back',
		usual: true
	},
	'mods.trial-failed': {
		label: 'A trial of new mods failed',
		when: 'a trial of new mods fails',
		usual: true
	},
	'mods.culprit-found': { label: 'The culprit was found', when: 'a culprit is found', usual: true },
	'mods.failed': {
		label: 'A change to the mods failed',
		when: 'a change to the mods fails',
		usual: true
	},
	'backup.failed': { label: 'A backup failed', when: 'a backup fails', usual: true },
	'backup.overdue': {
		label: 'There has been no backup for days',
		when: 'there is no backup for days',
		usual: true
	},
	'backup.verify-failed': {
		label: 'A backup is damaged',
		when: 'a backup is damaged',
		usual: true
	},
	'disk.low': { label: 'A disk is nearly full', when: 'a disk is nearly full', usual: true },
	'performance.low': { label: 'The server stays slow', when: 'the server stays slow', usual: true },
	'access.operator-added': {
		label: 'Somebody was opped',
		when: 'somebody is opped',
		usual: true
	},
	'access.new-address': {
		label: 'Somebody logged in from a new place',
		when: 'somebody logs in from a new place',
		usual: true
	},
	'mods.updates': { label: 'Mods have updates', when: 'mods have updates', usual: true },
	'server.started': { label: 'The server started', when: 'the server starts', usual: false },
	'server.stopped': { label: 'The server stopped', when: 'the server stops', usual: false },
	'backup.done': { label: 'A backup was made', when: 'a backup is made', usual: false },
	'player.joined': { label: 'A player joined', when: 'a player joins', usual: false },
	'player.left': { label: 'A player left', when: 'a player leaves', usual: false }
} satisfies Record<string, EventFacts>;

type NotificationEvent = keyof typeof NOTIFICATION_EVENTS;
export const NOTIFICATION_EVENT_NAMES = Object.keys(NOTIFICATION_EVENTS) as NotificationEvent[];
export const USUAL_EVENTS = NOTIFICATION_EVENT_NAMES.filter(
	(name) => NOTIFICATION_EVENTS[name].usual
);

/** `When a backup fails, tell Discord` */
export function tellWords(events: readonly NotificationEvent[], name: string): string {
	const [first, second] = events;
	if (!first) return `${name} is told nothing`;
	const isUsual =
		events.length === USUAL_EVENTS.length && USUAL_EVENTS.every((one) => events.includes(one));
	if (isUsual) return `When something needs attention, tell ${name}`;
	const more = events.length - 1;
	const or = more > 1 ? `, or in ${more} other cases` : '';
	const two = more === 1 && second ? ` or ${NOTIFICATION_EVENTS[second].when}` : or;
	return `When ${NOTIFICATION_EVENTS[first].when}${two}, tell ${name}`;
}

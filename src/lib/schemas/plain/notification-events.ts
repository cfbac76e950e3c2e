/** Characters of a channel's name. */
export const CHANNEL_NAME_MAX = 60;

type EventFacts = {
	label: string;
	/** A new channel gets it unless told otherwise. */ usual: boolean;
};
/** What can be told, in the order of a form. */
export const NOTIFICATION_EVENTS = {
	'server.crashed': { label: 'The server crashed', usual: true },
	'server.back': { label: 'It is back', usual: true },
	'server.gave-up': { label: 'It is left off after too many crashes', usual: true },
	'server.hanging': { label: 'It hangs', usual: true },
	'mods.rolled-back': { label: 'A change of mods was rolled back', usual: true },
	'mods.trial-failed': { label: 'A trial of new mods failed', usual: true },
	'mods.culprit-found': { label: 'The culprit was found', usual: true },
	'mods.failed': { label: 'A change of mods failed', usual: true },
	'backup.failed': { label: 'A backup failed', usual: true },
	'backup.overdue': { label: 'There has been no backup for days', usual: true },
	'backup.verify-failed': { label: 'A backup is damaged', usual: true },
	'disk.low': { label: 'A disk is nearly full', usual: true },
	'performance.low': { label: 'The server is slow', usual: true },
	'access.operator-added': { label: 'Somebody was made operator', usual: true },
	'access.new-address': { label: 'A login from a new place', usual: true },
	'mods.updates': { label: 'Mods have updates', usual: true },
	'server.started': { label: 'The server started', usual: false },
	'server.stopped': { label: 'The server stopped', usual: false },
	'backup.done': { label: 'A backup was made', usual: false },
	'player.joined': { label: 'A player joined', usual: false },
	'player.left': { label: 'A player left', usual: false }
} satisfies Record<string, EventFacts>;

type NotificationEvent = keyof typeof NOTIFICATION_EVENTS;
export const NOTIFICATION_EVENT_NAMES = Object.keys(NOTIFICATION_EVENTS) as NotificationEvent[];
export const USUAL_EVENTS = NOTIFICATION_EVENT_NAMES.filter(
	(name) => NOTIFICATION_EVENTS[name].usual
);

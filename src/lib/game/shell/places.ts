import type { Role } from '$lib/schemas/common';
import type { ICONS } from './icons';

export type Place = {
	href: keyof typeof ICONS;
	label: string;
	/** For superadmins only; the access table decides, this only hides the link. */
	superadmin?: boolean;
	/** Without a server in the folder nothing on it can work. */
	server?: boolean;
};
export type PlaceGroup = { label: string; places: Place[] };

/** Every place behind the sign-in, most used first: a phone has the first group in its bar, the rest under More. */
const GROUPS: PlaceGroup[] = [
	{
		label: 'Game',
		places: [
			{ href: '/admin', label: 'Overview' },
			{ href: '/admin/players', label: 'Players', server: true },
			{ href: '/admin/chat', label: 'Chat', server: true },
			{ href: '/admin/mods', label: 'Mods', server: true }
		]
	},
	{
		label: 'Records',
		places: [
			{ href: '/admin/analytics', label: 'Analytics' },
			{ href: '/admin/stats', label: 'Stats', server: true },
			{ href: '/admin/logs', label: 'Logs' },
			{
				href: '/admin/console',
				label: 'Console',
				server: true,
				superadmin: true
			}
		]
	},
	{
		label: 'Upkeep',
		places: [
			{ href: '/admin/backups', label: 'Backups' },
			{ href: '/admin/schedule', label: 'Schedule' },
			{ href: '/admin/notifications', label: 'Notifications', superadmin: true },
			{ href: '/admin/activity', label: 'Activity' }
		]
	},
	{
		label: 'Setup',
		places: [
			{ href: '/admin/server', label: 'Software' },
			{ href: '/admin/settings', label: 'Settings', superadmin: true }
		]
	}
];
/** Of the account and its browser, rarely looked at: they stand with what else belongs to the account. */
const OWN: Place[] = [
	{ href: '/admin/devices', label: 'My devices' },
	{ href: '/admin/errors', label: 'Browser errors', superadmin: true }
];

const open = (places: Place[], role: Role | null) =>
	places.filter(({ superadmin }) => !superadmin || role === 'superadmin');
export const groupsFor = (role: Role | null): PlaceGroup[] =>
	GROUPS.map(({ label, places }) => ({ label, places: open(places, role) }));
export const ownPlaces = (role: Role | null) => open(OWN, role);
export const placesFor = (role: Role | null) => [
	...groupsFor(role).flatMap(({ places }) => places),
	...ownPlaces(role)
];

/** Asks what the buttons of the overview ask. */
const OF_OVERVIEW = '/admin/confirm';
/** Lists the operations, each of which has a page. */
const OF_ACTIVITY = '/admin/operations/';
/** Whether an address belongs to a place. The overview has hardly more than itself; any other place the pages below it too. */
export const isHere = ({ href }: { href: string }, pathname: string) =>
	pathname === href ||
	(href === '/admin/activity' && pathname.startsWith(OF_ACTIVITY)) ||
	(href === '/admin' ? pathname === OF_OVERVIEW : pathname.startsWith(`${href}/`));

/**
 * The list of the place that an address belongs to, as the address has it. From a page below it, which may be a form that
 * has been sent, as it was seen last; undefined when it belongs to no place; pure.
 */
export function listOf(places: Place[], address: string, seen?: string | null): string | undefined {
	const pathOf = (one: string) => one.replace(/\?.*/, '');
	const href = places.find((one) => isHere(one, pathOf(address)))?.href;
	return [address, seen].find((one) => one && pathOf(one) === href) ?? href;
}

import Archive from '@lucide/svelte/icons/archive';
import Bell from '@lucide/svelte/icons/bell';
import Bug from '@lucide/svelte/icons/bug';
import CalendarClock from '@lucide/svelte/icons/calendar-clock';
import ChartLine from '@lucide/svelte/icons/chart-line';
import HardDrive from '@lucide/svelte/icons/hard-drive';
import History from '@lucide/svelte/icons/history';
import LayoutDashboard from '@lucide/svelte/icons/layout-dashboard';
import MessageSquare from '@lucide/svelte/icons/message-square';
import Package from '@lucide/svelte/icons/package';
import ScrollText from '@lucide/svelte/icons/scroll-text';
import SlidersHorizontal from '@lucide/svelte/icons/sliders-horizontal';
import Smartphone from '@lucide/svelte/icons/smartphone';
import SquareTerminal from '@lucide/svelte/icons/square-terminal';
import Trophy from '@lucide/svelte/icons/trophy';
import Users from '@lucide/svelte/icons/users';
import type { Role } from '$lib/schemas/common';
import type { IconPath } from '$lib/ui/base/icon';

export type Place = {
	href: string;
	label: string;
	icon: IconPath;
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
			{ href: '/admin', label: 'Overview', icon: LayoutDashboard },
			{ href: '/admin/players', label: 'Players', icon: Users, server: true },
			{ href: '/admin/chat', label: 'Chat', icon: MessageSquare, server: true },
			{ href: '/admin/mods', label: 'Mods', icon: Package, server: true }
		]
	},
	{
		label: 'Records',
		places: [
			{ href: '/admin/analytics', label: 'Analytics', icon: ChartLine },
			{ href: '/admin/stats', label: 'Stats', icon: Trophy },
			{ href: '/admin/logs', label: 'Logs', icon: ScrollText },
			{
				href: '/admin/console',
				label: 'Console',
				icon: SquareTerminal,
				server: true,
				superadmin: true
			}
		]
	},
	{
		label: 'Upkeep',
		places: [
			{ href: '/admin/backups', label: 'Backups', icon: Archive },
			{ href: '/admin/schedule', label: 'Schedule', icon: CalendarClock },
			{ href: '/admin/notifications', label: 'Notifications', icon: Bell, superadmin: true },
			{ href: '/admin/activity', label: 'Activity', icon: History }
		]
	},
	{
		label: 'Setup',
		places: [
			{ href: '/admin/server', label: 'Software', icon: HardDrive },
			{ href: '/admin/settings', label: 'Settings', icon: SlidersHorizontal, superadmin: true },
			{ href: '/admin/devices', label: 'My devices', icon: Smartphone },
			{ href: '/admin/errors', label: 'Browser errors', icon: Bug, superadmin: true }
		]
	}
];

export const groupsFor = (role: Role | null): PlaceGroup[] =>
	GROUPS.map(({ label, places }) => ({
		label,
		places: places.filter(({ superadmin }) => !superadmin || role === 'superadmin')
	}));
export const placesFor = (role: Role | null) => groupsFor(role).flatMap(({ places }) => places);

/** Asks what the buttons of the overview ask. */
const OF_OVERVIEW = '/admin/confirm';
/** Whether an address belongs to a place. The overview has hardly more than itself; any other place the pages below it too. */
export const isHere = ({ href }: Place, pathname: string) =>
	pathname === href ||
	(href === '/admin' ? pathname === OF_OVERVIEW : pathname.startsWith(`${href}/`));

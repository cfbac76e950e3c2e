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
	/** It begins a group: the game every day, what it does over time, what happens by itself, how all is set up. */
	begins?: true;
};

/** Every place behind the sign-in, most used first: a phone shows the first four, the rest under More. */
const PLACES: Place[] = [
	{ href: '/admin', label: 'Overview', icon: LayoutDashboard },
	{ href: '/admin/players', label: 'Players', icon: Users, server: true },
	{ href: '/admin/chat', label: 'Chat', icon: MessageSquare, server: true },
	{ href: '/admin/mods', label: 'Mods', icon: Package, server: true },
	{ href: '/admin/backups', label: 'Backups', icon: Archive },
	{ href: '/admin/analytics', label: 'Analytics', icon: ChartLine, begins: true },
	{ href: '/admin/stats', label: 'Stats', icon: Trophy },
	{ href: '/admin/logs', label: 'Logs', icon: ScrollText },
	{
		href: '/admin/console',
		label: 'Console',
		icon: SquareTerminal,
		server: true,
		superadmin: true
	},
	{ href: '/admin/schedule', label: 'Schedule', icon: CalendarClock, begins: true },
	{ href: '/admin/notifications', label: 'Notifications', icon: Bell, superadmin: true },
	{ href: '/admin/activity', label: 'Activity', icon: History },
	{ href: '/admin/server', label: 'Software', icon: HardDrive, begins: true },
	{ href: '/admin/settings', label: 'Settings', icon: SlidersHorizontal, superadmin: true },
	{ href: '/admin/devices', label: 'My devices', icon: Smartphone },
	{ href: '/admin/errors', label: 'Browser errors', icon: Bug, superadmin: true }
];
export const PHONE_PLACES = 4;

export const placesFor = (role: Role | null) =>
	PLACES.filter(({ superadmin }) => !superadmin || role === 'superadmin');

/** Asks what the buttons of the overview ask. */
const OF_OVERVIEW = '/admin/confirm';
/** Whether an address belongs to a place. The overview has hardly more than itself; any other place the pages below it too. */
export const isHere = ({ href }: Place, pathname: string) =>
	pathname === href ||
	(href === '/admin' ? pathname === OF_OVERVIEW : pathname.startsWith(`${href}/`));

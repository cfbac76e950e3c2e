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
import type { IconPath } from '$lib/ui/base/icon';

/** Of each place; apart from their names, which error messages need and the sign-in page therefore loads. */
export const ICONS = {
	'/admin': LayoutDashboard,
	'/admin/players': Users,
	'/admin/chat': MessageSquare,
	'/admin/mods': Package,
	'/admin/analytics': ChartLine,
	'/admin/stats': Trophy,
	'/admin/logs': ScrollText,
	'/admin/console': SquareTerminal,
	'/admin/backups': Archive,
	'/admin/schedule': CalendarClock,
	'/admin/notifications': Bell,
	'/admin/activity': History,
	'/admin/server': HardDrive,
	'/admin/settings': SlidersHorizontal,
	'/admin/devices': Smartphone,
	'/admin/errors': Bug
} satisfies Record<string, IconPath>;

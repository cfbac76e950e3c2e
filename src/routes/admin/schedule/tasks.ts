import Archive from '@lucide/svelte/icons/archive';
import Megaphone from '@lucide/svelte/icons/megaphone';
import Package from '@lucide/svelte/icons/package';
import Power from '@lucide/svelte/icons/power';
import RotateCw from '@lucide/svelte/icons/rotate-cw';
import Scissors from '@lucide/svelte/icons/scissors';
import Terminal from '@lucide/svelte/icons/terminal';
import { HOURS } from '$lib/schemas/cron/presets';
import { taskKind, type TaskType } from '$lib/schemas/task';
import { TASK_KINDS, type TaskIcon, type TaskKind } from '$lib/schemas/tasks/index';
import { EVENT_KINDS } from '$lib/schemas/triggers/index';

import type { IconPath } from '$lib/ui/base/icon';

/** How tasks are labelled and what the form asks for; pure. */
const ICONS: Record<TaskIcon, IconPath> = {
	announce: Megaphone,
	archive: Archive,
	package: Package,
	power: Power,
	prune: Scissors,
	restart: RotateCw,
	terminal: Terminal
};

export const taskIcon = (type: TaskType) => ICONS[taskKind(type).icon];
export const taskLabel = (type: TaskType) => taskKind(type).label;

const OWN_KINDS = TASK_KINDS as readonly TaskKind[];
/** What this person may have done; what is stored now stays on offer. */
export const typeOptions = (isSuperadmin: boolean) =>
	OWN_KINDS.filter(({ role }) => isSuperadmin || role !== 'superadmin').map(({ type, label }) => ({
		value: type,
		label
	}));
export const mayTouch = (type: TaskType, isSuperadmin: boolean) =>
	isSuperadmin || taskKind(type).role !== 'superadmin';

export const EVENT_OPTIONS = EVENT_KINDS.map(({ event, label }) => ({ value: event, label }));

export const PRESET_OPTIONS = [
	{ value: 'once', label: 'Once' },
	{ value: 'daily', label: 'Every day' },
	{ value: 'hours', label: 'Every few hours' },
	{ value: 'weekly', label: 'Every week' },
	{ value: 'cron', label: 'As a cron expression' }
];
export const HOUR_OPTIONS = HOURS.map((hours) => ({
	value: hours,
	label: hours === '1' ? 'Every hour' : `Every ${hours} hours`
}));
export const DAY_OPTIONS = [
	{ value: '1', label: 'Monday' },
	{ value: '2', label: 'Tuesday' },
	{ value: '3', label: 'Wednesday' },
	{ value: '4', label: 'Thursday' },
	{ value: '5', label: 'Friday' },
	{ value: '6', label: 'Saturday' },
	{ value: '0', label: 'Sunday' }
];

import Archive from '@lucide/svelte/icons/archive';
import Megaphone from '@lucide/svelte/icons/megaphone';
import Package from '@lucide/svelte/icons/package';
import Power from '@lucide/svelte/icons/power';
import Scissors from '@lucide/svelte/icons/scissors';
import Terminal from '@lucide/svelte/icons/terminal';
import { taskKind, type Task, type TaskType } from '$lib/schemas/task';
import { TASK_KINDS, type TaskIcon } from '$lib/schemas/tasks/index';

import type { IconPath } from '$lib/ui/base/icon';

/** How tasks are labelled and what the form asks for; pure. */
const ICONS: Record<TaskIcon, IconPath> = {
	announce: Megaphone,
	archive: Archive,
	package: Package,
	power: Power,
	prune: Scissors,
	terminal: Terminal
};

export const taskIcon = (type: TaskType) => ICONS[taskKind(type).icon];
export const taskLabel = (type: TaskType) => taskKind(type).label;
export const taskFacts = (task: Task) => taskKind(task.type).facts(task);

export const TYPE_OPTIONS = TASK_KINDS.map(({ type, label }) => ({ value: type, label }));

export const PRESET_OPTIONS = [
	{ value: 'daily', label: 'Every day' },
	{ value: 'hours', label: 'Every few hours' },
	{ value: 'weekly', label: 'Every week' },
	{ value: 'cron', label: 'As a cron expression' }
];
/** Divisors of 24: others would not run at even intervals. */
const HOURS = [1, 2, 3, 4, 6, 8, 12];
export const HOUR_OPTIONS = HOURS.map((hours) => ({
	value: String(hours),
	label: hours === 1 ? 'Every hour' : `Every ${hours} hours`
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

import Archive from '@lucide/svelte/icons/archive';
import Megaphone from '@lucide/svelte/icons/megaphone';
import Package from '@lucide/svelte/icons/package';
import Power from '@lucide/svelte/icons/power';
import Scissors from '@lucide/svelte/icons/scissors';
import Terminal from '@lucide/svelte/icons/terminal';
import { taskKind, type Task, type TaskType } from '$lib/schemas/task';
import { TASK_KINDS } from '$lib/schemas/tasks/index';
import type { TaskField, TaskIcon, TaskKind } from '$lib/schemas/tasks/task-kind';
import type { IconPath } from '$lib/ui/base/icon';

/** How tasks are said, what the form asks for, and how the presets of a schedule become a cron expression; pure. */
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

export type FormField = { name: string; field: TaskField; types: string[] };
/** Each once, with the types that take it. */
export const FORM_FIELDS = TASK_KINDS.reduce<FormField[]>((all, { type, fields }: TaskKind) => {
	for (const [name, field] of Object.entries(fields)) {
		const known = all.find((one) => one.name === name);
		if (known) known.types.push(type);
		else all.push({ name, field, types: [type] });
	}
	return all;
}, []);

/** What a form's values say for this type. Only a text may be left empty: any other field is then not chosen. */
export const optionsOf = (type: TaskType, values: Record<string, unknown>) =>
	Object.fromEntries(
		Object.entries(taskKind(type).fields)
			.filter(([name, { input }]) => input === 'text' || values[name] !== '')
			.map(([name]) => [name, values[name]])
	);

export const PRESETS = ['daily', 'hours', 'weekly', 'cron'] as const;
export type Preset = (typeof PRESETS)[number];
export const PRESET_OPTIONS = [
	{ value: 'daily', label: 'Every day' },
	{ value: 'hours', label: 'Every few hours' },
	{ value: 'weekly', label: 'Every week' },
	{ value: 'cron', label: 'As a cron expression' }
];
/** Divisors of 24: others would not come at even distances. */
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

export type Wish = {
	preset: Preset;
	/** `HH:MM` */
	time: string;
	hours: string;
	day: string;
	cron: string;
};

/** What the form's fields mean as five fields; whether they are right is for the schema to say. */
export function scheduleOf({ preset, time, hours, day, cron }: Wish): string {
	const [hour = '', minute = ''] = time.split(':');
	const clock = `${Number(minute)} ${Number(hour)}`;
	switch (preset) {
		case 'daily':
			return `${clock} * * *`;
		case 'weekly':
			return `${clock} * * ${day}`;
		case 'hours':
			return hours === '1' ? '0 * * * *' : `0 */${hours} * * *`;
		case 'cron':
			return cron;
	}
}

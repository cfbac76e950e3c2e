import Archive from '@lucide/svelte/icons/archive';
import Megaphone from '@lucide/svelte/icons/megaphone';
import Scissors from '@lucide/svelte/icons/scissors';
import type { Task, TaskType } from '$lib/schemas/task';
import type { IconPath } from '$lib/ui/base/icon';

/** How tasks are said, and how the presets of a schedule become a cron expression; pure. */
export const TASK_TYPES: Record<TaskType, { label: string; icon: IconPath }> = {
	say: { label: 'Announce', icon: Megaphone },
	backup: { label: 'Backup', icon: Archive },
	'snapshot-prune': { label: 'Prune snapshots', icon: Scissors }
};

export const taskFacts = ({ type, message, keep }: Task) =>
	type === 'say'
		? `“${message ?? ''}”`
		: type === 'snapshot-prune'
			? `Keeps the newest ${keep}`
			: '';

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

export const PRESETS = ['daily', 'hours', 'weekly', 'cron'] as const;
export type Preset = (typeof PRESETS)[number];

/** Divisors of 24: others would not run at even intervals. */
export const HOURS = ['1', '2', '3', '4', '6', '8', '12'] as const;

export type PresetWish = {
	preset: Preset;
	/** `HH:MM` */
	time: string;
	hours: string;
	day: string;
	cron: string;
};

/** The form's fields as five cron fields; the schema checks whether they are valid. */
export function scheduleOf({ preset, time, hours, day, cron }: PresetWish): string {
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

/** The form's fields that come to this schedule. */
export function wishOf(schedule: string): PresetWish {
	const wish: PresetWish = { preset: 'cron', time: '', hours: '', day: '', cron: '' };
	const hours = /^0 (?:\*\/)?(\d+|\*) \* \* \*$/.exec(schedule)?.[1];
	if (hours && (schedule.includes('/') || hours === '*'))
		return { ...wish, preset: 'hours', hours: hours === '*' ? '1' : hours };
	const [, minute, hour, day] = /^(\d+) (\d+) \* \* (\*|[0-6])$/.exec(schedule) ?? [];
	if (!minute || !hour || !day) return { ...wish, cron: schedule };
	const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
	return day === '*'
		? { ...wish, preset: 'daily', time }
		: { ...wish, preset: 'weekly', time, day };
}

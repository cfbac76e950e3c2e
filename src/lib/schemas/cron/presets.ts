export const PRESETS = ['once', 'daily', 'hours', 'weekly', 'cron'] as const;
export type Preset = (typeof PRESETS)[number];

/** Divisors of 24: others would not run at even intervals. */
export const HOURS = ['1', '2', '3', '4', '6', '8', '12'] as const;

/** What the form begins with: few play then. */
export const USUAL_TIME = '04:00';

export type PresetWish = {
	preset: Preset;
	/** `YYYY-MM-DD` */
	on: string;
	/** `HH:MM` */
	time: string;
	hours: string;
	day: string;
	cron: string;
};

/** The form's fields as five cron fields; the schema checks whether they are valid. */
export function scheduleOf({ preset, on, time, hours, day, cron }: PresetWish): string {
	const [hour = '', minute = ''] = time.split(':');
	const clock = `${Number(minute)} ${Number(hour)}`;
	const [, month, date] = on.split('-').map(Number);
	switch (preset) {
		case 'once':
			return `${clock} ${date} ${month} *`;
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

/** The form's fields that come to this schedule, of one day when `on` is given. */
export function wishOf(schedule: string, on?: string): PresetWish {
	const wish: PresetWish = { preset: 'cron', on: '', time: '', hours: '', day: '', cron: '' };
	if (on !== undefined) {
		const [minute, hour] = schedule.split(' ');
		return { ...wish, preset: 'once', on, time: clockOf(hour, minute) };
	}
	const hours = /^0 (?:\*\/)?(\d+|\*) \* \* \*$/.exec(schedule)?.[1];
	if (hours && (schedule.includes('/') || hours === '*'))
		return { ...wish, preset: 'hours', hours: hours === '*' ? '1' : hours };
	const [, minute, hour, day] = /^(\d+) (\d+) \* \* (\*|[0-6])$/.exec(schedule) ?? [];
	if (!minute || !hour || !day) return { ...wish, cron: schedule };
	const time = clockOf(hour, minute);
	return day === '*'
		? { ...wish, preset: 'daily', time }
		: { ...wish, preset: 'weekly', time, day };
}

const clockOf = (hour = '', minute = '') => `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;

export const PRESETS = ['daily', 'hours', 'weekly', 'cron'] as const;
export type Preset = (typeof PRESETS)[number];

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

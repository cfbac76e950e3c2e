/** By the numbers of cron; it also takes 7 for Sunday. */
export const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const MONTHS = [
	...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
	...['August', 'September', 'October', 'November', 'December']
];

const NIGHT = { from: 22, until: 6 };

/**
 * `Every night at 04:30`, `Every 6 hours`, `Every Monday at 04:30`; for one day alone (`YYYY-MM-DD`) `Once, on Thursday
 * 26 November at 23:00`; anything else as cron writes it.
 */
export function humanSchedule(schedule: string, on?: string): string {
	const [minute = '', hour = '', day, month, weekday = ''] = schedule.split(' ');
	if (on !== undefined) {
		const date = new Date(`${on}T00:00Z`);
		const name = `${DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
		return `Once, on ${name} at ${clock(hour, minute)}`;
	}
	const number = /^\d+$/;
	if (month !== '*' || day !== '*' || !number.test(minute)) return schedule;
	const past = Number(minute) ? ` at ${minute.padStart(2, '0')} minutes past` : '';
	if (weekday === '*') {
		const every = /^\*\/(\d+)$/.exec(hour)?.[1];
		if (hour === '*' || every === '1') return `Every hour${past}`;
		if (every && 24 % Number(every) === 0) return `Every ${every} hours${past}`;
		if (!number.test(hour)) return schedule;
		const isNight = Number(hour) < NIGHT.until || Number(hour) >= NIGHT.from;
		return `Every ${isNight ? 'night' : 'day'} at ${clock(hour, minute)}`;
	}
	const name = number.test(weekday) ? DAYS[Number(weekday) % 7] : undefined;
	return name && number.test(hour) ? `Every ${name} at ${clock(hour, minute)}` : schedule;
}

const clock = (hour: string, minute: string) =>
	`${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;

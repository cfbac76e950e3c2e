// Adds a task to a crontab and takes another away, and says what it was told: `change-crontab.ts <folder> user|embedded`.
import path from 'node:path';
import { systemClock } from '#core/clock';
import { AppError } from '#core/errors';
import { createLock } from '#core/lock';
import { openSchedules, type Where } from './schedules.ts';

const [, , dir, where] = process.argv as [string, string, string, Where];
const BY = { name: 'ada', role: 'admin' as const, address: null };
// Beside what gets hurt: here it is about the table.
const lock = createLock(path.join(dir, 'lock'), systemClock);
const { schedule } = openSchedules(dir, where, lock);
try {
	const { tasks, readOnly } = await schedule.list();
	if (readOnly) throw new AppError('upstream', readOnly);
	await schedule.add({ type: 'say', schedule: '30 4 * * 1', message: 'Hello' }, BY);
	console.log('added');
	await schedule.remove(tasks[0]!.id, BY);
	console.log('removed');
} catch (error) {
	if (!(error instanceof AppError)) throw error;
	console.log('refused', error.kind);
}
lock.close();

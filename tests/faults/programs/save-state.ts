// Counts up in a state file and says what it was told: `save-state.ts <file> <times>`.
import { AppError } from '#core/errors';
import { openCounter } from './counter.ts';

const [, , file, times] = process.argv as [string, string, string, string];
const state = openCounter(file, () => console.log('warned'));
for (let i = 0; i < Number(times); i++) {
	try {
		const { count } = await state.update((old) => ({ count: old.count + 1 }));
		console.log('saved', count);
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		const memory = await state.read().catch(() => null);
		console.log('refused', memory?.count ?? 'unreadable');
	}
}

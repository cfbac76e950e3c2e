// Takes a snapshot, or puts the only one back, and says how that went: `snapshot.ts <folder> take|put-back`.
import { AppError } from '#core/errors';
import { openStore } from '../../fakes/archives/snapshot-folders.ts';
import { createSteadyClock } from './steady-clock.ts';

const [, , dir, action] = process.argv as [string, string, string, string];
const { store } = openStore(dir, { clock: createSteadyClock() });
try {
	if (action === 'take') {
		const { id } = await store.take({ reason: 'update', operationId: null, by: null, note: '' });
		console.log('taken', id);
	} else {
		const { id } = (await store.list())[0]!;
		await store.putBack(id);
		console.log('done');
	}
} catch (error) {
	if (!(error instanceof AppError)) throw error;
	console.log('refused', error.code, error.message);
}
store.close();

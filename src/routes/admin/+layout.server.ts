import { layout } from '#core/http';
import { asPressed } from './being-started';

export const load = layout(async ({ locals, depends }) => {
	depends('server:setup');
	const [status, unready] = await Promise.all([
		locals.app.status.get(),
		locals.app.firstRun.unready()
	]);
	let running = null;
	try {
		running = locals.app.operations.busy();
	} catch {
		// A journal that cannot be read is told by the pages that show what is in it.
	}
	return { status: asPressed(status, running), unready };
});

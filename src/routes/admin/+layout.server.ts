import { layout } from '#core/http';
import { asPressed } from './being-started';

export const load = layout(async ({ locals, depends }) => {
	depends('server:setup');
	const [status, unready] = await Promise.all([
		locals.app.status.get(),
		locals.app.firstRun.unready()
	]);
	return { status: asPressed(status, () => locals.app.operations.busy()), unready };
});

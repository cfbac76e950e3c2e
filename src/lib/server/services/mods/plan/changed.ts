import { AppError } from '#core/errors';

/** What would be done is no longer what was confirmed. */
export const planChanged = (why: string) =>
	new AppError('conflict', `${why} Look at the new plan, then confirm it.`, {
		code: 'plan-changed'
	});

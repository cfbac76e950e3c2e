import { AppError } from '#core/errors';

/** The plan that was confirmed is no longer the one that would be carried out. */
export const planChanged = (why: string) =>
	new AppError('conflict', `${why} Look at the new plan, then confirm it.`, {
		code: 'plan-changed'
	});

import { layout } from '#core/http';

export const load = layout(async ({ locals }) => ({ status: await locals.app.status.get() }));

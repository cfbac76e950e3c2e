import { layout, takeNotice } from '#core/http';

export const load = layout(async ({ locals, cookies }) => {
	const [{ demo }, { name }] = await Promise.all([locals.app.about(), locals.app.status.get()]);
	return {
		user: locals.session?.user ?? null,
		notice: takeNotice({ locals, cookies }),
		timeZone: locals.timeZone,
		demo,
		serverName: name
	};
});

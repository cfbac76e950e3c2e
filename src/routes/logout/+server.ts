import { authOf } from '#auth';
import { endpoint, readBody } from '#core/http';

const BODY_MAX_BYTES = 4096;

/** Ends this session, with the field `everywhere=1` all of the account. */
export const POST = endpoint('POST /logout', async (event) => {
	const body = new TextDecoder().decode(await readBody(event.request, BODY_MAX_BYTES));
	const everywhere = new URLSearchParams(body).get('everywhere') === '1';
	await authOf(event.locals.app).signOut(event, { everywhere });
	return new Response(null, { status: 303, headers: { location: '/' } });
});

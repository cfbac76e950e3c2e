import type { ApiAnswer } from '#api';
import { endpoint, json, jsonText } from '#core/http';

/** Shared caches may keep what anonymous visitors see as long as we do ourselves. */
const PUBLIC = {
	headers: {
		'cache-control': 'public, max-age=3',
		vary: 'Cookie'
	}
};
const PRIVATE = { headers: { 'cache-control': 'private, no-store', vary: 'Cookie' } };

export const GET = endpoint('GET /api/status', async ({ locals: { app, session } }) =>
	session
		? json(await app.status.get(), PRIVATE)
		: jsonText<ApiAnswer<'GET /api/status'>>(await app.status.publicJson(), PUBLIC)
);

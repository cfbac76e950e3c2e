import { dev } from '$app/environment';
import type { HandleClientError } from '@sveltejs/kit';

/** In production only. The reporter is loaded with the first error: until then it costs a page nearly nothing. */
const tell = (cause: unknown, kind: string) => {
	if (!dev)
		import('$lib/client/error-report').then(
			({ report }) => report(cause, kind),
			() => {}
		);
};

addEventListener('error', (event) => tell(event.error ?? event.message, 'error'));
addEventListener('unhandledrejection', ({ reason }) => tell(reason, 'rejection'));

/** An error answer to a page fetched early is passed on as it is; the server's log has its cause. */
const isServers = (error: unknown): error is { error: App.Error } =>
	typeof error === 'object' && error !== null && 'type' in error && 'error' in error;

export const handleError: HandleClientError = ({ error, status, message }) => {
	if (isServers(error)) return error.error;
	if (status < 500) return { message };
	console.error(error); // eslint-disable-line no-console
	tell(error, 'page');
	return { message: 'This page broke in your browser.' };
};

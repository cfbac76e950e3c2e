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

/** In the words of Chromium, Firefox and Safari: nobody's bug. */
const isUnreachable = (error: unknown) =>
	error instanceof TypeError && /failed to fetch|networkerror|load failed/i.test(error.message);

export const handleError: HandleClientError = ({ error, status, message }) => {
	if (isServers(error)) return error.error;
	if (status < 500) return { message };
	if (isUnreachable(error)) return { message: 'The dashboard did not answer.' };
	console.error(error); // eslint-disable-line no-console
	tell(error, 'page');
	return { message: 'This page broke in your browser.' };
};

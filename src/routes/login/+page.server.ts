import { authOf, safePath } from '#auth';
import { formActions, page } from '#core/http';
import { redirect } from '@sveltejs/kit';

const HOME = '/admin';
/** Auth.js's codes in the address; an unknown one is never shown. */
const LABELS: Record<string, string> = {
	CredentialsSignin: 'The user name or the password is wrong.',
	SessionRequired: 'Log in to see that page.'
};
const OTHERWISE = 'Logging in did not work. Try again.';

const wordsFor = (code: string | null) =>
	code === null ? null : Object.hasOwn(LABELS, code) ? LABELS[code]! : OTHERWISE;

/** Where to go on: never back to signing in or out. */
function targetOf(callbackUrl: string | null): string {
	const path = safePath(callbackUrl, HOME);
	return /^\/log(in|out)(?![\w-])/.test(path) ? HOME : path;
}

export const load = page('page /login', ({ url, locals }) => {
	const error = url.searchParams.get('error');
	const callbackUrl = targetOf(url.searchParams.get('callbackUrl'));
	/** Nothing went wrong: somebody came to a page without being logged in. */
	const isFirst = error === 'SessionRequired';
	// Whoever tried to log in as somebody else is told why they are not.
	if (locals.session && (error === null || isFirst)) redirect(303, callbackUrl);
	const user = locals.session?.user ?? null;
	return { error: wordsFor(error), isFirst, callbackUrl, user };
});

export const actions = formActions('page /login', {
	default: async (event) => {
		const { username, password, callbackUrl } = event.body;
		const target = targetOf(callbackUrl);
		const { app } = event.locals;
		if (await authOf(app).signIn(event, { username, password })) redirect(303, target);
		const query = new URLSearchParams({ error: 'CredentialsSignin', callbackUrl: target });
		redirect(303, `/login?${query}`);
	}
});

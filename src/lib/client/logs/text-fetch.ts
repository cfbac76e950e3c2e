import { browser, type BrowserEnv } from '../browser-env.ts';

/** Fetches a text from our server; throws an Error whose message is for the user. */
export async function fetchText(url: string, env: BrowserEnv = browser): Promise<string> {
	const response = await env.fetch(url).catch((cause: unknown) => {
		throw new Error('The dashboard does not answer.', { cause });
	});
	if (response.ok) return response.text();
	if (response.status === 401) env.signIn();
	const problem = await response.json().catch(() => null);
	throw new Error(String(problem?.detail ?? `The answer was ${response.status}.`));
}

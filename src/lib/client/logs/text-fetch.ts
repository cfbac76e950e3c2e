import { browser, type BrowserEnv } from '../browser-env.ts';

/** A text of ours; throws an Error whose message is for the person. */
export async function fetchText(url: string, around: BrowserEnv = browser): Promise<string> {
	const response = await around.fetch(url).catch((cause: unknown) => {
		throw new Error('The dashboard does not answer.', { cause });
	});
	if (response.ok) return response.text();
	if (response.status === 401) around.signIn();
	const problem = await response.json().catch(() => null);
	throw new Error(String(problem?.detail ?? `The answer was ${response.status}.`));
}

/** What was done and stays, and why the server still does not run, as one text. */
export const afterKept = (kept: string, why: string) => `${kept.replace(/\.$/, '')}: ${why}`;

/** The reason alone, of a text made so. */
export function whyOfKept(kept: string, message: string): string {
	const before = afterKept(kept, '');
	return message.startsWith(before) ? message.slice(before.length) : message;
}

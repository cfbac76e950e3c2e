/** Null when there is no text, or it is not JSON: callers check the shape anyway. */
export function parseJson(text: string | null): unknown {
	try {
		return JSON.parse(text ?? 'null');
	} catch {
		return null;
	}
}

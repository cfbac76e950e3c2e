/** What a browser's field for a date and time sends. */
const FIELD = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/;

/** The query, where the times of a plain form are in UTC; the browser's own zone is known to JavaScript only. */
export function fromForm(params: URLSearchParams): Record<string, string> {
	const entries = [...params].filter(([, value]) => value !== '');
	return Object.fromEntries(
		entries.map(([key, value]) => [
			key,
			FIELD.test(value) ? `${value.length === 16 ? `${value}:00` : value}Z` : value
		])
	);
}

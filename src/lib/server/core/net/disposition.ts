/** RFC 6266: a download's name in ASCII for old programs, and the real one in the form of RFC 5987. */
export function disposition(name: string): string {
	const simple = name.replace(/[^\w .()+-]/g, '_');
	const real = encodeURIComponent(name.toWellFormed()).replace(
		/['()*!]/g,
		(char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
	);
	return `attachment; filename="${simple}"; filename*=UTF-8''${real}`;
}

/** Whoever asked may leave before a search has ended: then nobody reads the answer, and nothing went wrong. */
export async function unlessGone<T>(
	{ signal }: Request,
	run: (signal: AbortSignal) => Promise<T>
): Promise<T | Response> {
	try {
		return await run(signal);
	} catch (cause) {
		if (signal.aborted) return new Response(null, { status: 204 });
		throw cause;
	}
}

import type { AttentionReport } from '$lib/schemas/overview/attention';

/** The report that is shown; `isKept`: a newer one has come, which is not whole. */
export type Told = { report: AttentionReport; isKept: boolean };

export const firstTold = (report: AttentionReport): Told => ({ report, isKept: false });

/**
 * When something has ended all is asked for anew. Until the answer after it, what was known stands, so that nothing
 * goes and comes back in a moment; what is new is shown at once.
 */
export function nextTold(next: AttentionReport, { report, isKept }: Told): Told {
	const known = new Set(report.items.map(({ key }) => key));
	const hasNews = next.items.some(({ key }) => !known.has(key));
	if (next.pending && !report.pending && !isKept && !hasNews) return { report, isKept: true };
	return firstTold(next);
}

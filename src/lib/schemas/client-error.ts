import { z } from 'zod';
import { Time, wholeNumber } from './common.ts';

export const CLIENT_ERRORS_MAX = 200;

/** Longer texts are cut, not refused: the beginning says the most. */
const short = (max: number) =>
	z
		.string()
		.transform((text) => text.slice(0, max))
		.optional()
		.catch(undefined);

/** What a page reports about an error in the browser. Anybody may send it, so none of it is trusted. */
export const ClientErrorReport = z.object({
	message: z.string().transform((text) => text.slice(0, 500)),
	stack: short(6000),
	/** The page's address; its query is not kept. */
	url: short(500),
	/** How it was noticed: `error`, `rejection` or `page`. */
	kind: short(20),
	/** When, by the browser's clock. */
	at: short(40),
	/** What the browser uses to recognise repetitions. */
	fingerprint: short(64),
	/** The build that the page came from. */
	release: short(64)
});
export type ClientErrorReport = z.infer<typeof ClientErrorReport>;

/** Reports of one error, the newest in full. */
export const ClientErrorGroup = z.object({
	id: z.string(),
	message: z.string(),
	kind: z.string().nullable(),
	/** Number of reports, within the part of the history that is read. */
	count: z.int(),
	firstAt: Time,
	lastAt: Time,
	/** Paths of pages, newest first, at most 5. */
	urls: z.array(z.string()),
	stack: z.string().nullable(),
	release: z.string().nullable(),
	userAgent: z.string().nullable(),
	address: z.string().nullable(),
	/** Who was signed in. */
	account: z.string().nullable(),
	/** How many different addresses sent it. */
	addresses: z.int()
});
export type ClientErrorGroup = z.infer<typeof ClientErrorGroup>;

/** Newest first. */
export const ClientErrors = z.object({
	errors: z.array(ClientErrorGroup),
	/** There are more kinds of errors, or older reports, than were read. */
	truncated: z.boolean()
});
export type ClientErrors = z.infer<typeof ClientErrors>;

export const ClientErrorsQuery = z.object({
	limit: wholeNumber(1, CLIENT_ERRORS_MAX).default(50)
});
export type ClientErrorsQuery = z.infer<typeof ClientErrorsQuery>;

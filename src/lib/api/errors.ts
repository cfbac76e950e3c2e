import { ClientErrorReport, ClientErrors, ClientErrorsQuery } from '#schemas/client-error';
import { json, lenient, page } from './define.ts';

/** The size of a whole report in bytes; browsers cut theirs to less than half of it. */
const REPORT_MAX_BYTES = 16 * 1024;

export const errors = {
	'page /admin/errors': page({ role: 'superadmin' }),
	'GET /api/errors': json({
		role: 'superadmin',
		summary: 'What went wrong in browsers, grouped, newest first',
		query: ClientErrorsQuery,
		answers: { 200: ClientErrors }
	}),
	// A client that reports an error never gets an error in return.
	'POST /api/errors': lenient({
		role: 'public',
		summary: 'A page reports an error in the browser; 204 whatever is sent',
		body: ClientErrorReport,
		maxBytes: REPORT_MAX_BYTES,
		answers: { 204: null }
	})
};

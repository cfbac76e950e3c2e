import { ClientErrorReport, ClientErrorsQuery } from '$lib/schemas/client-error';
import { query, readBody } from '#core/http';
import type { RequestHandler } from './$types';

/** A whole report in bytes; browsers cut theirs to less than half of it. */
const REPORT_MAX_BYTES = 16 * 1024;

export const GET = query(ClientErrorsQuery, (input, { locals }) =>
	locals.app.clientErrors.list(input)
);

/** Always 204: who tells of a failure is never told of another. */
export const POST: RequestHandler = async ({ locals, request }) => {
	const report = await read(request);
	if (report)
		locals.app.clientErrors.report(report, {
			userAgent: request.headers.get('user-agent'),
			address: locals.actor.address,
			account: locals.session?.user.name ?? null
		});
	return new Response(null, { status: 204 });
};

async function read(request: Request): Promise<ClientErrorReport | null> {
	try {
		const body = await readBody(request, REPORT_MAX_BYTES);
		return ClientErrorReport.parse(JSON.parse(new TextDecoder().decode(body)));
	} catch {
		return null; // too large, broken off, or no report
	}
}

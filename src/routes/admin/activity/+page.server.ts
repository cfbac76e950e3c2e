import { z } from 'zod';
import { AUDIT_PAGE_MAX, AuditEntry } from '$lib/schemas/audit';
import { OperationState } from '$lib/schemas/operation';
import { toRow } from '$lib/schemas/operation-row';
import { withTitles } from '$lib/schemas/plain/mod-titles';
import { hasWords } from '$lib/schemas/plain/words/has-words';
import { page, parse } from '#core/http';
import { searched, searchedAudit } from './searched';
import { begunBy, endOf, resultOf } from './begun';
import { paged } from './paging';

const ROWS = 30;
/** More than are kept. */
const OPERATIONS_MAX = 1000;
const SEARCH_MAX = 100;

/** The query parameters; invalid ones show the beginning. */
const View = z.object({
	view: z.enum(['operations', 'audit']).catch('operations'),
	state: OperationState.nullable().catch(null).default(null),
	result: AuditEntry.shape.result.nullable().catch(null).default(null),
	before: z.string().max(40).nullable().catch(null).default(null),
	q: z.string().trim().max(SEARCH_MAX).catch('').default('')
});
type View = z.infer<typeof View>;

async function someOperations({ app }: App.Locals, { state, before, q }: View) {
	const all = await app.operations.list(state || before || q ? OPERATIONS_MAX : ROWS + 1);
	const from = before ? all.filter(({ id }) => id < before) : all;
	const wanted = (one: (typeof all)[number]) =>
		(!state || one.state === state) && hasWords(searched(one), q);
	const { rows, older } = paged(from, { size: ROWS, complete: true, wanted });
	return { rows: rows.map(toRow), older };
}

async function someAudit({ app, session }: App.Locals, { result, before, q }: View) {
	const query = { limit: AUDIT_PAGE_MAX, before: before ?? undefined };
	const [listed, operations] = await Promise.all([
		app.audit.list(query, session!.user.role),
		app.operations.list(OPERATIONS_MAX)
	]);
	const known = new Map(operations.map((one) => [one.id, one]));
	const entries = listed.map((entry) => {
		const begun = known.get(begunBy(entry) ?? '');
		const { cause } = begun ?? {};
		const why = cause ? withTitles(cause.message, cause.titles ?? {}) : null;
		return { ...entry, operation: begun ? endOf(begun) : null, why };
	});
	const wanted = (one: (typeof entries)[number]) =>
		(!result || resultOf(one, one.operation) === result) && hasWords(searchedAudit(one), q);
	return paged(entries, { size: ROWS, complete: entries.length < AUDIT_PAGE_MAX, wanted });
}

export const load = page('page /admin/activity', async ({ locals, url, isDataRequest }) => {
	const view = parse(View, Object.fromEntries(url.searchParams));
	const audit = view.view === 'audit' ? someAudit(locals, view) : null;
	const operations = audit ? null : someOperations(locals, view);
	// In a running app a skeleton is shown meanwhile, but not at every letter of a search.
	const later = isDataRequest && !view.q;
	return {
		...view,
		limits: { search: SEARCH_MAX },
		audit: later ? audit : await audit,
		operations: later ? operations : await operations
	};
});

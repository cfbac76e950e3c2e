import { goto } from '$app/navigation';
import { navigating, page } from '$app/state';
import type { OperationRow } from '$lib/schemas/operation';
import type { ToastKind, Toasts } from '$lib/client/toasts.svelte.ts';
import type { User } from '$lib/schemas/session';
import type { Status } from '$lib/schemas/status';
import { restoreAddress } from '$lib/schemas/plain/restore-address';
import { plainWords } from '$lib/schemas/plain/words/plain-words';
import { KILLED } from '../power/power';
import { ending, inBrief, isBeside, operationTitle, outcome, whyEnded } from '../labels';

/** Its strip shows how the last one ended. */
const OVERVIEW = '/admin';
/** A crash so soon after a success was said belongs to it. */
const RIGHT_AFTER_MS = 15_000;

type Health = Pick<Status, 'state' | 'hanging'>;
type Said = { kind: ToastKind; words: string };

/**
 * Announces the end of each operation that was seen running, on every page but its own and the overview, which say it already;
 * its toast goes when its page is opened. That it has begun is not said any longer. Nothing is green while the server is down.
 */
export function announceEndings(toasts: Toasts, role: () => User['role'] | null) {
	const seen = new Map<string, OperationRow['state']>();
	/** Said in green a moment ago. */
	let good: { row: OperationRow; atMs: number }[] = [];
	/** What is done about it, or where it is looked at. */
	const more = ({ id, state, undo }: OperationRow) => {
		if (state in WENT_WRONG)
			return { label: 'Look at it', onClick: () => void goto(`/admin/operations/${id}`) };
		if (state !== 'succeeded' || !undo || role() !== 'superadmin') return;
		return { label: 'Undo this restore', onClick: () => void goto(restoreAddress(undo)) };
	};
	const tell = (row: OperationRow, status: Health) => {
		const { kind, words } = said(row, status);
		void toasts.outdate(row.id);
		if (isShown(row)) return;
		if (kind === 'success') good.push({ row, atMs: Date.now() });
		void toasts.show(kind, words, row.id, more(row));
	};
	let wasUp = false;
	return (rows: OperationRow[], status: Health) => {
		const isUp = status.state === 'running';
		if (isUp && !wasUp) void toasts.outdate(KILLED);
		wasUp = isUp;
		good = good.filter(({ atMs }) => Date.now() - atMs < RIGHT_AFTER_MS);
		if (troubleOf(status)) for (const { row } of good.splice(0)) tell(row, status);
		for (const row of rows) {
			const before = seen.get(row.id);
			seen.set(row.id, row.state);
			if (before === 'running' && row.state !== 'running') tell(row, status);
		}
	};
}

const isShown = ({ id, kind }: OperationRow) =>
	[page, navigating.to].some((at) => at?.params?.['id'] === id || at?.url.pathname === OVERVIEW) ||
	(kind === 'culprit' && isSearchedFor(id));

/** The page of an operation says what the search that follows it has found. */
function isSearchedFor(search: string) {
	const offer = page.data?.['offer'] as { search: string | null; estimate: unknown } | undefined;
	return !!offer && (offer.search === search || offer.estimate !== null);
}

const troubleOf = ({ state, hanging }: Health) => {
	if (state === 'crashed') return 'has crashed since';
	return hanging && state !== 'starting' ? 'is not responding' : null;
};

function said(row: OperationRow, status: Health): Said {
	// Its last step may have been told of before it had found its last words.
	const words = ending({ ...row, steps: undefined }) ?? '';
	switch (row.state) {
		case 'succeeded':
			return ofSuccess(row, words, status);
		case 'cancelled':
			return { kind: 'info', words };
		case 'rolled-back':
			return { kind: 'warning', words: named(row, words) };
		default:
			return { kind: isHarmless(row) ? 'warning' : 'error', words: named(row, words) };
	}
}

/** The server goes on loading, or was never touched. */
const isHarmless = ({ kind, cause }: OperationRow) =>
	cause?.loading || cause?.onCopy || kind === 'culprit';

const WENT_WRONG = {
	'rolled-back': 'was rolled back',
	failed: 'failed',
	interrupted: 'was interrupted'
};

/** The rest is where its button leads. */
const WHY_MAX = 200;
/** It may be somebody else's, and come while one's own is under way. */
function named(row: OperationRow, words: string) {
	const title = `“${operationTitle(row)}”`;
	if (row.cause?.loading || !(row.state in WENT_WRONG)) return `${title}: ${words}`;
	const did = row.cause?.onCopy ? 'was not done' : WENT_WRONG[row.state as keyof typeof WENT_WRONG];
	const why = whyEnded({ ...row, steps: undefined });
	return why ? `${title} ${did}: ${inBrief(plainWords(why), WHY_MAX)}` : `${title} ${did}.`;
}

function ofSuccess(row: OperationRow, words: string, status: Health): Said {
	if (row.kind === 'culprit')
		return { kind: row.result?.culprits.length ? 'warning' : 'info', words: outcome(row) ?? words };
	const trouble = troubleOf(status);
	if (!trouble) return { kind: row.killedBy || row.unclean ? 'warning' : 'success', words };
	const done = words.replace(/^Done: (.)/, (_, first: string) => first.toUpperCase());
	if (isBeside(row)) return { kind: 'info', words: done };
	const whom = done.startsWith('The server') ? 'it' : 'the server';
	return { kind: 'warning', words: `${done.replace(/\.$/, '')}, but ${whom} ${trouble}.` };
}

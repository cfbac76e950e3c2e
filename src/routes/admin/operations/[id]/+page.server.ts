import { z } from 'zod';
import type { Operation, OperationAgain } from '$lib/schemas/operation';
import { toRow } from '$lib/schemas/operation-row';
import type { Role } from '$lib/schemas/common';
import { LATEST_LOG, LOG_SEARCH_MAX } from '$lib/schemas/plain/limits';
import { logAt, logsAddress } from '$lib/schemas/plain/log-at';
import { changeAfter } from '$lib/schemas/plain/of-mods';
import { isGood } from '$lib/schemas/plain/good-backup';
import { restoreAddress } from '$lib/schemas/plain/restore-address';
import { titlesOf, type ModTitles } from '$lib/schemas/plain/mod-titles';
import { upgradeWithout } from '$lib/schemas/software/without';
import { formActions, orProblem, page, within } from '#core/http';
import { addressAgain, BackupAsked, keptIn } from './again';
import { homeOf } from './home';
import { isOfMods, isStart, withRest, type Outcome } from './outcome';

type App = App.Locals['app'];
const WAIT_MS = 1500;
const Parked = z.object({ parked: z.array(z.string()) });

export const load = page(
	'page /admin/operations/[id]',
	async ({ locals: { app, actor }, params, request, url }) => {
		const shown = await app.operations.get(params.id);
		const offer = await app.mods.culpritOffer(shown);
		return {
			shown,
			log: app.operations.log(params.id),
			outcome: await outcomeOf(shown, offer.search, { app, role: actor.role ?? 'admin' }),
			offer,
			changing: app.operations.beside(),
			from: cameFrom(request.headers.get('referer'), url),
			home: homeOf(shown),
			demoHoldMs: app.demoHoldMs
		};
	}
);

async function outcomeOf(
	shown: Operation,
	search: string | null,
	{ app, role }: { app: App; role: Role }
): Promise<Outcome> {
	const titles = await titlesNow(shown, app);
	const nothing = {
		...{ before: null, backup: null, world: null, again: null, rest: [], titles },
		...{ blame: null, search: null, undo: null, replaced: null, kept: null },
		...{ parked: null, without: null, log: null, since: null }
	};
	if (shown.state === 'running') return nothing;
	if (shown.state !== 'succeeded')
		return {
			...nothing,
			before: shown.kept ? await snapshotOf(shown, app) : null,
			...(await wayBackOf(shown, app)),
			again: await againOf(shown, app),
			since: await changedSince(shown, app),
			without: shown.kind === 'upgrade' ? await withoutOf(shown, titles, app) : null,
			blame: await blameOf(shown, app),
			world: await worldBackupOf(shown, app),
			log: await within(WAIT_MS, logOf(shown, role, app)),
			search: search ? await searchOf(search, app) : null
		};
	if (shown.kind === 'culprit') return { ...nothing, rest: await restOf(shown, app) };
	if (isOfMods(shown)) return { ...nothing, before: await snapshotOf(shown, app) };
	if (shown.kind === 'restore') return { ...nothing, ...(await wayBackOf(shown, app)) };
	if (shown.kind === 'upgrade')
		return { ...nothing, kept: await keptOf(shown, app), parked: await parkedAfter(shown, app) };
	if (shown.kind === 'go-back') return { ...nothing, kept: await keptOf(shown, app) };
	if (shown.kind !== 'backup') return nothing;
	// There is one operation at a time: what was made while it ran, it made.
	const { value: backups } = await orProblem(app.backups.list());
	const made = backups?.find(
		({ createdAt, state }) =>
			state === 'complete' && createdAt >= shown.startedAt && createdAt <= (shown.finishedAt ?? '')
	);
	return { ...nothing, backup: made?.id ?? null };
}

/** The log of the time of the failure, at the line that it names; a later run has begun another one. */
async function logOf({ cause, steps, finishedAt, startedAt }: Operation, role: Role, app: App) {
	const line = cause?.log.at(-1);
	if (!line) return null;
	const at = steps.find(({ status }) => status === 'failed')?.at ?? finishedAt ?? startedAt;
	const { value: listed } = await orProblem(app.logs.files());
	const file = logAt(at, listed?.files ?? []) ?? LATEST_LOG;
	const asked = { file, q: line.trim().slice(0, LOG_SEARCH_MAX), lines: 1, level: [] };
	const found = await orProblem(app.logs.read(asked, role));
	const place = found.value?.entries.at(-1)?.id;
	return place ? logsAddress({ at: place }) : logsAddress({ file });
}

/** From before a change of mods. */
async function snapshotOf({ id }: Operation, app: App): Promise<string | null> {
	const taken = await app.snapshots.list();
	return taken.find(({ operationId, problem }) => operationId === id && !problem)?.id ?? null;
}

/** From the restore of a backup, as long as its files are in place and those of before exist. */
async function wayBackOf({ id, kind, state, steps, undo }: Operation, app: App) {
	const isReplaced = steps.some((step) => step.id === 'swap' && step.status === 'done');
	if (kind !== 'restore' || state === 'rolled-back' || !isReplaced) return {};
	const { value: backups } = undo ? await orProblem(app.backups.list()) : {};
	const made = backups?.find((one) => one.id === undo?.backup && one.state === 'complete');
	return {
		undo: made && undo ? restoreAddress(undo) : null,
		replaced: await app.backups.replaced(id)
	};
}

async function keptOf({ id, kind }: Operation, app: App) {
	const of = kind === 'upgrade' ? id : keptIn(await app.operations.input(id));
	return (await app.upgrades.kept()).find(({ operationId }) => operationId === of) ?? null;
}

/** Whether they can come back is only told when the registry answers at once. */
async function parkedAfter({ id }: Operation, app: App): Promise<Outcome['parked']> {
	const here = await app.mods.parkedHere();
	if (!here.length) return null;
	const known = await within(WAIT_MS, app.mods.parked());
	const { gameVersion } = await app.installation();
	const asked = Parked.safeParse(await app.operations.input(id)).data;
	return {
		mods: known ?? here.map((mod) => ({ ...mod, back: null, older: null })),
		fresh: asked?.parked ?? [],
		game: gameVersion
	};
}

async function searchOf(id: string, app: App): Promise<Outcome['search']> {
	const search = await app.operations.get(id);
	const rest = await restOf(search, app);
	return { row: withRest(toRow(search), rest), rest };
}

/** What the rollback says is in place was so then. */
async function changedSince(shown: Operation, app: App): Promise<Outcome['since']> {
	if (shown.state !== 'rolled-back') return null;
	const later = changeAfter(shown, await app.operations.list());
	return later ? { id: later.id, kind: later.kind, subject: later.subject } : null;
}

/** Null when it is gone, or damaged, or something has been restored since. */
async function worldBackupOf({ id, worldOpened }: Operation, app: App): Promise<string | null> {
	if (!worldOpened?.backup) return null;
	const since = (await app.operations.list()).filter((one) => one.id > id);
	const isRestored = since.some(
		(one) => one.kind === 'restore' && one.state === 'succeeded' && !isOfMods(one)
	);
	if (isRestored) return null;
	const { value: backups } = await orProblem(app.backups.list());
	return backups?.find((one) => one.id === worldOpened.backup && isGood(one))?.id ?? null;
}

async function blameOf(shown: Operation, app: App) {
	const { cause, startedAt, finishedAt } = shown;
	if (isStart(shown) && cause?.mods.length)
		return app.attention.blame(cause.mods, finishedAt ?? startedAt);
	// What was tried did not help: the server is still down because of the crash before it.
	return isOfMods(shown) ? app.attention.blamed() : null;
}

async function withoutOf(shown: Operation, titles: ModTitles, app: App) {
	const [input, { mods }] = await Promise.all([app.operations.input(shown.id), app.mods.list()]);
	return upgradeWithout(shown, input, { installed: mods, titles });
}

/** Null too when what was to be restored is not there any more, or damaged. */
async function againOf({ id, kind }: Operation, app: App): Promise<string | null> {
	const address = addressAgain(kind, await app.operations.input(id));
	if (kind !== 'restore' || !address) return address;
	const [{ value: backups }, snapshots] = await Promise.all([
		orProblem(app.backups.list()),
		app.snapshots.list()
	]);
	const good = [...(backups ?? []), ...snapshots].filter(({ problem }) => !problem);
	return good.some((one) => address.includes(one.id)) ? address : null;
}

const AT_ONCE = { delaySeconds: 0, message: '' };
const AGAIN: Record<
	OperationAgain['do'],
	(app: App, input: unknown, by: App.Locals['actor']) => Promise<Operation>
> = {
	start: (app, _, by) => app.power.start(AT_ONCE, by),
	backup: (app, input, by) => app.backups.create(BackupAsked.parse(input), by),
	modpack: (app, _, by) => app.modpack.rebuild(by)
};

async function titlesNow({ cause }: Operation, app: App): Promise<ModTitles> {
	if (!cause?.mods.length) return {};
	return { ...titlesOf(cause.mods, (await app.mods.list()).mods), ...cause.titles };
}

/** What can be updated without the mods to blame, while it has not been done. */
async function restOf({ result }: Operation, app: App): Promise<string[]> {
	if (!result?.rest.length) return [];
	const installed = new Set((await app.mods.list()).mods.map(({ fileName }) => fileName));
	return result.rest.filter((fileName) => installed.has(fileName));
}

/** The page of ours that led here: `from` of one that refreshed itself, else what the browser says. */
function cameFrom(referer: string | null, url: URL): string | null {
	const text = url.searchParams.get('from') ?? referer;
	const from = text && URL.parse(text, url);
	if (!from || !/^\/admin(?:\/|$)/.test(from.pathname)) return null;
	return from.pathname.startsWith('/admin/operations/') ? null : from.pathname + from.search;
}

export const actions = formActions('page /admin/operations/[id]', {
	cancel: async ({ params, locals }) => {
		const { id, state } = await locals.app.operations.cancel(params.id, locals.actor);
		// Its end is told by whoever watches it, in the same place.
		if (state !== 'running') return;
		const location = `/admin/operations/${id}`;
		return { message: 'The operation is being cancelled.', operation: { id }, location };
	},
	again: async ({ params, body, locals: { app, actor } }) => ({
		message: 'It has started again.',
		operation: await AGAIN[body.do](app, await app.operations.input(params.id), actor)
	}),
	culprit: async ({ params, locals: { app, actor } }) => {
		const shown = await app.operations.get(params.id);
		const request = isStart(shown) ? { scope: 'all' as const } : { operationId: params.id };
		return {
			message: 'The search has started.',
			operation: await app.mods.culprit(request, actor)
		};
	}
});

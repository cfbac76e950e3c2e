import { createHash } from 'node:crypto';
import type { Plan, PlanItem, PlanRequest } from '#schemas/mod';
import type { ModDifference } from '#schemas/operation';
import type { ModFile } from '#minecraft/mods';
import { subjectOf, type ModChange } from '../change/index.ts';
import type { Dependent } from './dependents.ts';
import type { Draft } from './draft.ts';
import { setOf } from '../known.ts';
import { isLoadable, projectOf, type Change, type Jar } from './types.ts';
import type { Target } from '../target.ts';
import { worldHint } from './world.ts';

export type Kind = Plan['kind'];
export type Changelogs = (jar: Jar) => PlanItem['changelogs'];

/** The first item requested names the whole plan. */
export function kindOf(request: PlanRequest): Kind {
	const kinds = ['install', 'update', 'remove', 'disable', 'enable'] as const;
	const named = kinds.filter((kind) => request[kind]);
	return named.find((kind) => request[kind]?.length) ?? named[0] ?? 'update';
}

/** What the operation will do, to the byte. */
export function changeOf(
	draft: Draft,
	{ kind, files, target }: { kind: Kind; files: ModFile[]; target: Target }
): ModChange {
	const put: ModChange['put'] = [];
	const take: ModChange['take'] = [];
	const rename: ModChange['rename'] = [];
	for (const change of draft.changes) {
		if (change.is === 'rename') {
			const [from, to] = [change.old.fileName, change.jar.fileName];
			rename.push({ from, to, ...core(change.jar) });
			continue;
		}
		if (change.is !== 'add') take.push({ fileName: change.old.fileName, ...core(change.old) });
		if (change.is !== 'remove') put.push(putOf(change.jar));
	}
	// An update that another one needs is an update like any other.
	const isExtra = ({ is, reason }: Change) =>
		reason !== null && (kind !== 'update' || is === 'add');
	const extra = draft.changes.filter(isExtra);
	const askedFirst = [...draft.changes.filter((change) => !isExtra(change)), ...extra];
	return {
		kind,
		planId: null,
		titles: askedFirst.map((change) => titleOf(change.is === 'remove' ? change.old : change.jar)),
		needed: kind === 'install' || kind === 'update' || kind === 'enable' ? extra.length : 0,
		changes: askedFirst.map(differenceOf),
		put,
		take,
		rename,
		before: setOf(files),
		restart: draft.changes.some((change) => touchesServer(change, target)),
		backupFirst: draft.changes.some(({ is }) => is === 'remove')
	};
}

function differenceOf(change: Change): ModDifference {
	const jar = change.is === 'remove' ? change.old : change.jar;
	const is = change.is !== 'rename' ? change.is : jar.enabled ? 'enable' : 'disable';
	return {
		...{ is, title: jar.title },
		from: change.is === 'add' ? null : change.old.number,
		to: change.is === 'remove' ? null : jar.number
	};
}

/** For people: `Lithium 0.13.1`. */
const titleOf = ({ title, number }: Jar) =>
	number === null || title.endsWith(number) ? title : `${title} ${number}`;

const core = (jar: Jar) => ({
	...{ sha512: jar.sha512 ?? '', title: titleOf(jar), side: jar.side },
	...idsOf(jar),
	...(!isLoadable(jar) && { damaged: true as const })
});

function idsOf({ modId, metadata, presumed }: Jar) {
	const own = metadata?.flatMap((mod) => [mod.modId, ...mod.provides]) ?? [];
	const ids = [...new Set([...(modId ? [modId] : []), ...own, ...presumed])];
	return ids.length ? { ids } : {};
}

const putOf = (jar: Jar) => ({
	fileName: jar.fileName,
	file: jar.staged ? null : (jar.version?.file ?? null),
	staged: jar.staged,
	size: jar.size,
	...core(jar)
});

/** Jars that are disabled before and after are nothing to a server, and client-only ones where the loader passes them over: Forge and NeoForge load every jar. */
function touchesServer(change: Change, { loader }: Target) {
	const skips = loader === 'fabric' || loader === 'quilt';
	const jars = [
		...(change.is === 'add' ? [] : [change.old]),
		...(change.is === 'remove' ? [] : [change.jar])
	];
	return jars.some((jar) => jar.enabled && !(skips && jar.side === 'client'));
}

/** The same actions on the same files for the same server have the same id. */
export function planId(change: ModChange, draft: Draft, target: Target): string {
	const { before, ...actions } = change;
	const files = Object.entries(before).sort(([a], [b]) => (a < b ? -1 : 1));
	const blocking = draft.warnings.filter((warning) => warning.blocking);
	const content = JSON.stringify([actions, files, blocking, target]);
	return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

export function describe(
	draft: Draft,
	{
		change,
		id,
		dependents,
		orphans,
		changelogs
	}: {
		change: ModChange;
		id: string;
		dependents: Dependent[];
		orphans: Jar[];
		changelogs: Changelogs;
	}
): Omit<Plan, 'trial'> {
	const items = (is: Change['is']) =>
		draft.changes.filter((one) => one.is === is).map((one) => itemOf(one, changelogs));
	return {
		id,
		kind: change.kind,
		subject: change.titles.length ? subjectOf(change) : null,
		add: items('add'),
		replace: items('replace'),
		remove: items('remove'),
		rename: items('rename'),
		keep: draft.kept.map(({ jar, reason }) => ({ ...still(jar), reason })),
		dependents: dependents.map(({ jar, needs }) => ({
			...still(jar),
			to: null,
			reason: `needs ${needs.title}`
		})),
		orphans: orphans.map((jar) => ({
			...still(jar),
			to: null,
			reason: 'nothing would need it any more'
		})),
		warnings: draft.warnings,
		downloadBytes: change.put.reduce((sum, { file, size }) => sum + (file ? size : 0), 0),
		restart: change.restart,
		world: worldHint(draft),
		backupFirst: change.backupFirst
	};
}

const STAYS_OFF = 'disabled, and stays so';

function itemOf(change: Change, changelogs: Changelogs): PlanItem {
	const jar = change.is === 'remove' ? change.old : change.jar;
	const old = change.is === 'add' ? null : change.old;
	return {
		...still(jar),
		replaces: change.is === 'replace' || change.is === 'rename' ? change.old.fileName : null,
		from: old?.number ?? null,
		to: change.is === 'remove' ? null : jar.number,
		reason: change.reason ?? (change.is === 'replace' && !jar.enabled ? STAYS_OFF : null),
		changelogs: change.is === 'replace' ? changelogs(jar) : []
	};
}

const still = (jar: Jar): PlanItem => ({
	fileName: jar.fileName,
	replaces: null,
	modId: jar.modId,
	title: jar.title,
	from: jar.number,
	to: jar.number,
	side: jar.side,
	size: jar.size,
	projectId: projectOf(jar),
	versionId: jar.version?.id ?? null,
	channel: jar.version?.channel ?? null,
	reason: null,
	changelogs: []
});

import type { PlanRequest } from '#schemas/mod';
import { AppError } from '#core/errors';
import type { RegistryVersion } from '#registry';
import { best, type Catalogue, type Loadable } from './catalogue.ts';
import type { Draft } from './draft.ts';
import { bareName, registryJar, renamed } from './jars.ts';
import { projectOf, type Jar } from './types.ts';

export type Context = {
	catalogue: Catalogue;
	/** The newest allowed version of each of these, null when there is none; absent ones are not in the registry. */
	newest: (jars: Jar[]) => Promise<Map<string, RegistryVersion | null>>;
	mayTouchLocked: boolean;
};

/** Writes what the person asked for into the draft. AppError `not-found`, `invalid`, `forbidden`. */
export async function applyRequest(draft: Draft, request: PlanRequest, context: Context) {
	const named = (fileNames: string[] = []) => [...new Set(fileNames)].map(find(draft));
	for (const jar of named(request.remove)) {
		guard(jar, 'removed', context);
		draft.change({ is: 'remove', old: jar, reason: null });
	}
	for (const jar of named(request.disable)) disable(draft, jar, context);
	for (const jar of named(request.enable)) enable(draft, jar, null);
	await update(draft, named(request.update), context);
	await install(draft, request.install ?? [], context);
}

const find = (draft: Draft) => (fileName: string) => {
	const jar = draft.installed.find((one) => one.fileName === fileName);
	if (jar) return jar;
	throw new AppError('not-found', `There is no file ${fileName} in mods/ any more.`);
};

export function guard(jar: Jar, action: string, { mayTouchLocked }: Context) {
	if (jar.locked && !mayTouchLocked) throw locked(jar, action);
}

/** Only superadmins may change a locked mod. */
export const locked = ({ title }: { title: string }, action: string) =>
	new AppError('forbidden', `${title} is locked: it can only be ${action} by a superadmin.`, {
		code: 'locked'
	});

function disable(draft: Draft, jar: Jar, context: Context) {
	guard(jar, 'disabled', context);
	if (!jar.enabled) return draft.keep(jar, 'it is disabled already');
	rename(draft, jar, null);
}

/** Also what another mod needs: then `reason` says so. */
export function enable(draft: Draft, jar: Jar, reason: string | null) {
	if (jar.enabled) return draft.keep(jar, 'it is enabled already');
	rename(draft, jar, reason);
}

function rename(draft: Draft, old: Jar, reason: string | null) {
	const jar = renamed(old);
	// `x.jar` and `x.jar.disabled` side by side: neither may write over the other.
	const inTheWay = draft.after().some((one) => one !== old && one.fileName === jar.fileName);
	if (inTheWay)
		draft.warn('name-taken', `There is a file ${jar.fileName} already. Remove it first.`, true);
	draft.change({ is: 'rename', old, jar, reason });
}

async function update(draft: Draft, jars: Jar[], context: Context) {
	const asked = jars.filter((jar) => {
		const free = !jar.locked || context.mayTouchLocked;
		if (!free) draft.keep(jar, 'it is locked');
		return free;
	});
	if (!asked.length) return;
	const newest = await context.newest(asked);
	await context.catalogue.projects(asked.flatMap((jar) => projectOf(jar) ?? []));
	for (const jar of asked) {
		const version = jar.sha512 === null ? undefined : newest.get(jar.sha512);
		if (version === undefined) draft.keep(jar, 'the registry does not know this file');
		else if (!context.catalogue.listed(projectOf(jar) ?? ''))
			draft.keep(jar, 'the registry does not list it publicly any more');
		else if (!version || !context.catalogue.fits(version))
			draft.keep(jar, 'it is the newest already');
		else if (bareName(version.file.fileName) === bareName(jar.fileName))
			draft.keep(jar, 'the registry has another file of the same name: never swapped unasked');
		else replace(draft, jar, version, { context, enabled: jar.enabled, reason: null });
	}
}

async function install(
	draft: Draft,
	wishes: NonNullable<PlanRequest['install']>,
	context: Context
) {
	const { catalogue } = context;
	await catalogue.projects(wishes.map(({ projectId }) => projectId));
	const exact = await catalogue.versions(wishes.flatMap(({ versionId }) => versionId ?? []));
	for (const { projectId, versionId } of wishes) {
		const project = catalogue.project(projectId);
		if (!project)
			throw new AppError('not-found', `The registry has no project ${projectId} (any more).`);
		if (!project.listed) throw unlisted(project);
		const found = versionId === undefined ? undefined : (exact.get(versionId) ?? null);
		const version =
			found === undefined
				? best(await catalogue.compatible(project.id))
				: checked(found, project.id, catalogue);
		if (!version)
			throw new AppError(
				'invalid',
				`${project.title} has no version for this server’s loader and game version.`,
				{ code: 'no-compatible-version' }
			);
		installVersion(draft, version, { context, isNamed: versionId !== undefined });
	}
}

/** It can be found only by its address: it was never reviewed, or was withdrawn. */
const unlisted = ({ title }: { title: string }) =>
	new AppError(
		'invalid',
		`The registry does not list ${title} publicly, so it is not installed. Look for another mod.`,
		{ code: 'not-listed' }
	);

/** The version a person named must belong to the project, be listed, and fit. */
function checked(version: RegistryVersion | null, projectId: string, catalogue: Catalogue) {
	const refuse = (why: string) =>
		new AppError('invalid', why, { issues: [{ path: 'versionId', message: why }] });
	if (!version || version.projectId !== projectId) throw refuse('The project has no such version.');
	if (!version.listed) throw refuse('This version has been withdrawn.');
	if (!catalogue.fits(version))
		throw refuse('This version is not for this server’s loader and game version.');
	return version;
}

function installVersion(
	draft: Draft,
	version: Loadable,
	{ context, isNamed }: { context: Context; isNamed: boolean }
) {
	const there = draft.installed
		.filter((jar) => projectOf(jar) === version.projectId)
		.sort((a, b) => Number(b.enabled) - Number(a.enabled))[0];
	if (!there) {
		const project = context.catalogue.project(version.projectId);
		if (draft.after().some((jar) => jar.sha512 === version.file.sha512)) return;
		const jar = registryJar(version, project, { taken: draft.after(), enabled: true });
		return draft.change({ is: 'add', jar, reason: null });
	}
	const isOlder =
		!isNamed && Date.parse(version.publishedAt) < Date.parse(there.version?.publishedAt ?? '');
	if (there.sha512 !== version.file.sha512 && !isOlder) {
		guard(there, 'updated', context);
		return replace(draft, there, version, { context, enabled: true, reason: null });
	}
	if (there.enabled) draft.keep(there, 'it is installed already');
	else enable(draft, there, null);
}

/** The version takes the place of an installed file. */
export function replace(
	draft: Draft,
	old: Jar,
	version: Loadable,
	how: { context: Pick<Context, 'catalogue'>; enabled: boolean; reason: string | null }
) {
	const project = how.context.catalogue.project(version.projectId) ?? old.project;
	const taken = draft.after();
	const jar = registryJar(version, project, { taken, instead: old, enabled: how.enabled });
	draft.change({ is: 'replace', old, jar, reason: how.reason });
}

import type { RegistryVersion } from '#registry';
import { best, type Catalogue, type Loadable } from './catalogue.ts';
import { active, type Draft } from './draft.ts';
import { registryJar } from './jars.ts';
import { enable, replace, type Context } from './request.ts';
import { foldId, provided, servesProject, SUBSTITUTES } from './requirements.ts';
import { lookAt, type Rules } from './set.ts';
import { projectOf, type Jar } from './types.ts';

type Dependency = RegistryVersion['dependencies'][number];
type Want = { by: Jar; dependency: Dependency };

/**
 * Adds what the new jars need, and what that needs, until nothing is missing or nothing can be found. Every want is
 * looked at once, so that cycles end. What cannot be found is a blocking warning.
 */
export async function resolve(
	draft: Draft,
	{ context, rules }: { context: Context; rules: Rules }
) {
	const seen = new Set<string>();
	enableNeeded(draft, rules);
	for (let wants = wanted(draft, seen); wants.length; wants = wanted(draft, seen)) {
		await lookUp(wants, context.catalogue);
		for (const want of wants) await settle(want, { draft, target: rules.target, context });
		enableNeeded(draft, rules);
	}
}

/** What the registry says that the new jars need, as far as it has not been asked for yet. */
function wanted(draft: Draft, seen: Set<string>): Want[] {
	const wants: Want[] = [];
	for (const change of draft.changes) {
		if (change.is === 'remove' || change.is === 'rename' || !change.jar.enabled) continue;
		for (const dependency of change.jar.version?.dependencies ?? []) {
			const { projectId, versionId, fileName } = dependency;
			const key = [change.jar.version?.id, projectId, versionId, fileName].join(' ');
			if (dependency.kind !== 'required' || seen.has(key)) continue;
			seen.add(key);
			wants.push({ by: change.jar, dependency });
		}
	}
	return wants;
}

/** One request for all exact versions, one for all projects. */
async function lookUp(wants: Want[], catalogue: Catalogue) {
	const pinned = await catalogue.versions(wants.flatMap((want) => want.dependency.versionId ?? []));
	const ids = [...pinned.values()].map(({ projectId }) => projectId);
	await catalogue.projects([...ids, ...wants.flatMap((want) => want.dependency.projectId ?? [])]);
}

type Where = { draft: Draft; target: Rules['target']; context: Context };

async function settle({ by, dependency }: Want, where: Where) {
	const { draft, context } = where;
	const { catalogue } = context;
	const { versionId } = dependency;
	const pinned = versionId ? (await catalogue.versions([versionId])).get(versionId) : undefined;
	const projectId = dependency.projectId ?? pinned?.projectId ?? null;
	if (projectId === null) return external(draft, by, dependency);
	if (projectId === projectOf(by)) return;
	const project = catalogue.project(projectId);
	const usable = pinned && catalogue.fits(pinned) ? pinned : null;
	const serving = active(draft.after()).find(
		(jar) => jar !== by && servesProject(jar, projectId, project?.slug ?? null)
	);
	if (serving) return usable && matchPin(serving, usable, { by, where });

	const reason = `needed by ${by.title}`;
	const asleep = draft.installed.find(
		(jar) =>
			!jar.enabled && !draft.changeOf(jar) && servesProject(jar, projectId, project?.slug ?? null)
	);
	if (asleep) return enable(draft, asleep, reason);
	const version = usable ?? (await findVersion(projectId, where));
	if (!version) {
		const name = project?.title ?? projectId;
		const why = !project
			? 'is not in the registry any more'
			: project.listed
				? 'has no version for this server'
				: 'the registry does not list publicly';
		return draft.warn('missing-dependency', `${by.title} needs ${name}, which ${why}.`, true);
	}
	const found = catalogue.project(version.projectId);
	const jar = registryJar(version, found, { taken: draft.after(), enabled: true });
	draft.change({ is: 'add', jar, reason });
}

function external(draft: Draft, by: Jar, { versionId, fileName }: Dependency) {
	if (fileName && draft.after().some((jar) => jar.fileName === fileName)) return;
	if (fileName)
		draft.warn(
			'external-dependency',
			`${by.title} also needs ${fileName.slice(0, 100)}, which is not in the registry. Look for it on the mod’s own page.`
		);
	else if (versionId)
		draft.warn('missing-dependency', `${by.title} needs a version that was withdrawn.`, true);
}

/** The most stable, newest one that fits; on Quilt first of what stands for a Fabric library there. */
async function findVersion(
	projectId: string,
	{ target, context }: Where
): Promise<Loadable | null> {
	const substitutes =
		target.loader === 'quilt' ? SUBSTITUTES.get(projectId)?.projects.slice(0, 1) : [];
	const ids = [...(substitutes ?? []), projectId];
	await context.catalogue.projects(ids);
	for (const id of ids) {
		if (!context.catalogue.project(id)) continue;
		const found = best(await context.catalogue.compatible(id));
		if (found) return found;
	}
	return null;
}

/**
 * An exact version is wanted and another one is there. Authors often mean "at least": an older one is replaced, a
 * newer one stays, for a mod that is there may need it.
 */
function matchPin(serving: Jar, pinned: Loadable, { by, where }: { by: Jar; where: Where }) {
	const { draft, context } = where;
	const { version } = serving;
	if (!version || version.projectId !== pinned.projectId || version.id === pinned.id) return;
	if (Date.parse(version.publishedAt) >= Date.parse(pinned.publishedAt))
		return draft.warn(
			'other-version',
			`${by.title} names ${pinned.number} of ${serving.title}; the newer ${version.number} stays.`
		);
	if (serving.locked && !context.mayTouchLocked)
		return draft.warn(
			'locked',
			`${by.title} needs ${pinned.number} of ${serving.title}, which is locked: only a superadmin may update it.`,
			true
		);
	const reason = `needed by ${by.title}`;
	const added = draft.changes.find((change) => change.is !== 'remove' && change.jar === serving);
	if (!added) return replace(draft, serving, pinned, { context, enabled: true, reason });
	if (added.is === 'add') {
		const taken = draft.after().filter((jar) => jar !== serving);
		const project = serving.project;
		added.jar = registryJar(pinned, project, { taken, enabled: true });
	} else if (added.is !== 'remove')
		replace(draft, added.old, pinned, { context, enabled: true, reason: added.reason });
}

/** A disabled jar that one needs by its own metadata, which comes or is enabled, is enabled too. */
export function enableNeeded(draft: Draft, rules: Rules) {
	for (let found = true; found;) {
		found = false;
		for (const [jar, { requires }] of lookAt(draft.after(), rules)) {
			if (!jar.enabled || draft.installed.includes(jar)) continue;
			for (const { modId, satisfiedBy } of requires) {
				if (satisfiedBy !== null) continue;
				const asleep = draft.installed.find(
					(one) => !one.enabled && !draft.changeOf(one) && provided(one).has(foldId(modId))
				);
				if (!asleep) continue;
				enable(draft, asleep, `needed by ${jar.title}`);
				found = true;
			}
		}
	}
}

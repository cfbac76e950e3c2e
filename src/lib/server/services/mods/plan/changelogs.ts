import type { PlanItem } from '#schemas/mod';
import type { RegistryVersion } from '#registry';
import { newestFirst, type Catalogue } from './catalogue.ts';
import type { Draft } from './draft.ts';
import type { Changelogs } from './describe.ts';
import type { Jar } from './types.ts';

/** One request each: beyond this many mods only the new version's own text is shown. */
const PROJECTS_MAX = 10;
const VERSIONS_MAX = 10;
const CHANGELOG_MAX_CHARS = 4000;

/** What changed between the installed version and the new one, newest first. */
export async function readChangelogs(draft: Draft, catalogue: Catalogue): Promise<Changelogs> {
	const found = new Map<Jar, PlanItem['changelogs']>();
	const replaced = draft.changes.flatMap((change) => (change.is === 'replace' ? [change] : []));
	await Promise.all(
		replaced.map(async ({ old, jar }, nth) => {
			if (!jar.version) return;
			const all =
				nth < PROJECTS_MAX && old.version?.projectId === jar.version.projectId
					? await catalogue.changelogs(jar.version.projectId)
					: [];
			found.set(jar, between(old.version, jar.version, all).map(entry));
		})
	);
	return (jar) => found.get(jar) ?? [];
}

function between(old: RegistryVersion | null, now: RegistryVersion, all: RegistryVersion[]) {
	const at = (version: RegistryVersion) => Date.parse(version.publishedAt);
	const steps = old
		? all.filter((one) => one.listed && at(one) > at(old) && at(one) < at(now) && one.id !== now.id)
		: [];
	const own = all.find(({ id }) => id === now.id) ?? now;
	return [own, ...newestFirst(steps)].slice(0, VERSIONS_MAX);
}

const entry = ({ number, publishedAt, changelog }: RegistryVersion) => ({
	version: number,
	publishedAt: new Date(publishedAt).toISOString(),
	text: changelog?.slice(0, CHANGELOG_MAX_CHARS) ?? null
});

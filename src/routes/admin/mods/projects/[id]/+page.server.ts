import type { ModProject, ModVersion } from '$lib/schemas/mod';
import { parseMarkdown } from '../../markdown/markdown';
import { page } from '#core/http';

/** Nobody reads more versions than this. */
const VERSIONS_MAX = 60;

export const load = page('page /admin/mods/projects/[id]', async ({ locals: { app }, params }) => {
	const { body, versions, ...project } = await app.mods.project(params.id);
	const changeTo = changesFrom(project.installed, versions);
	return {
		project,
		body: parseMarkdown(body),
		versions: versions
			.slice(0, VERSIONS_MAX)
			.map(({ changelog: _, ...version }) => ({ ...version, change: changeTo(version) })),
		hidden: Math.max(0, versions.length - VERSIONS_MAX)
	};
});

/** What installing a version would be, by the dates that updates go by too. */
function changesFrom(installed: ModProject['installed'], versions: ModVersion[]) {
	const present = versions.find((version) => version.installed)?.publishedAt;
	return ({ publishedAt, ...version }: ModVersion) => {
		if (version.installed) return 'Installed';
		if (installed === null) return 'Install';
		if (!present) return 'Change to this';
		return publishedAt > present ? 'Update' : 'Downgrade';
	};
}

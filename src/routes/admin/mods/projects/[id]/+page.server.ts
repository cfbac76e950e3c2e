import { parseMarkdown } from '../../markdown/markdown';
import { page } from '#core/http';
import { changesFrom } from './changes';

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

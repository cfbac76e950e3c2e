import { parseMarkdown } from '../../markdown/markdown';
import { page } from '#core/http';

/** Nobody reads more versions than this. */
const VERSIONS_MAX = 60;

export const load = page('page /admin/mods/projects/[id]', async ({ locals: { app }, params }) => {
	const { body, versions, ...project } = await app.mods.project(params.id);
	return {
		project,
		body: parseMarkdown(body),
		versions: versions
			.slice(0, VERSIONS_MAX)
			.map(({ changelog, ...version }) => ({ ...version, hasChangelog: !!changelog })),
		hidden: Math.max(0, versions.length - VERSIONS_MAX)
	};
});

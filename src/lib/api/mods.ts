import { z } from 'zod';
import { yesOrNo } from '#schemas/common';
import {
	CulpritRequest,
	IconRef,
	InstalledMods,
	JAR_MAX_BYTES,
	ModFileName,
	ModHits,
	ModInstall,
	ModPatch,
	ModProject,
	ModRemove,
	ModSearch,
	ModUpdate,
	ModUpdates,
	Plan,
	PlanAgreement,
	PlanRequest,
	ProjectRef,
	UpdatesQuery,
	VersionRef
} from '#schemas/mod';
import { Empty } from '#schemas/server';
import { OperationAnswer } from './answers.ts';
import { action, download, json, page, stream, upload, uploadAction } from './define.ts';

const JAR = { file: 'jar', maxBytes: JAR_MAX_BYTES };
/** The operation has begun: a client with too many open streams is told where to watch it. */
const answers = { 200: 'text/event-stream', 202: OperationAnswer } as const;

export const mods = {
	'page /admin/mods': page({
		role: 'admin',
		actions: {
			lock: action({
				role: 'superadmin',
				body: z.object({ fileName: ModFileName, locked: yesOrNo })
			}),
			share: action({
				role: 'superadmin',
				body: z.object({ fileName: ModFileName, shareable: yesOrNo })
			}),
			forgetFailure: action({ role: 'admin', body: VersionRef }),
			recheck: action({ role: 'admin', body: Empty }),
			modpack: action({ role: 'admin', body: Empty }),
			upload: uploadAction({ role: 'superadmin', ...JAR })
		}
	}),
	'page /admin/mods/plan': page({
		role: 'admin',
		actions: { run: action({ role: 'admin', body: PlanAgreement }) }
	}),
	'page /admin/mods/projects/[id]': page({ role: 'admin', params: ProjectRef }),
	'GET /api/mods': json({
		role: 'admin',
		summary: 'What lies in mods/, what it needs and what is wrong with it',
		answers: { 200: InstalledMods }
	}),
	'PATCH /api/mods': json({
		role: 'admin',
		summary:
			'Enable, disable or park a mod (an operation); lock or share it (superadmin; answers ok)',
		body: ModPatch,
		// A lock applies to admins, and only superadmins may share jars of their own.
		refine: ({ body }) => ('enabled' in body || 'parked' in body ? null : 'superadmin'),
		answers: { 200: z.object({ ok: z.literal(true) }), 202: OperationAnswer }
	}),
	'DELETE /api/mods': stream({
		role: 'admin',
		summary: 'Remove mods; answers the operation’s events',
		body: ModRemove,
		answers
	}),
	'GET /api/mods/search': json({
		role: 'admin',
		summary: 'The registry, narrowed to this server’s loader and game version',
		query: ModSearch,
		answers: { 200: ModHits }
	}),
	'GET /api/mods/projects/[id]': json({
		role: 'admin',
		summary: 'One project with its versions',
		params: ProjectRef,
		answers: { 200: z.object({ project: ModProject }) }
	}),
	'GET /api/mods/icons/[projectId]': download({
		role: 'admin',
		summary: 'A project’s icon: PNG, WebP or JPEG',
		params: IconRef,
		answers: { 200: 'image/png' }
	}),
	'POST /api/mods/plan': json({
		role: 'admin',
		summary: 'What a change would do, before anything is done',
		body: PlanRequest,
		answers: { 200: z.object({ plan: Plan }) }
	}),
	'POST /api/mods/install': stream({
		role: 'admin',
		summary: 'Install a mod with what it needs; answers the operation’s events',
		body: ModInstall,
		answers
	}),
	'GET /api/mods/updates': json({
		role: 'admin',
		summary: 'The newest version that fits, per mod',
		query: UpdatesQuery,
		answers: { 200: ModUpdates }
	}),
	'DELETE /api/mods/failures/[versionId]': json({
		role: 'admin',
		summary: 'Offer a version again that did not start here',
		params: VersionRef,
		answers: { 204: null }
	}),
	'POST /api/mods/update': stream({
		role: 'admin',
		summary:
			'Update mods, and take it back if the server does not come up healthy; answers the operation’s events',
		body: ModUpdate,
		answers
	}),
	'POST /api/mods/culprit': json({
		role: 'admin',
		summary: 'Search for the mod to blame, by starting the server on copies (an operation)',
		body: CulpritRequest,
		answers: { 202: OperationAnswer }
	}),
	'POST /api/mods/upload': upload({
		role: 'superadmin',
		summary: 'Install a jar of your own',
		...JAR,
		answers: { 202: OperationAnswer }
	}),
	'GET /api/modpack': download({
		role: 'public',
		summary: 'The pack for players',
		answers: { 200: 'application/x-modrinth-modpack+zip' }
	}),
	'POST /api/modpack': json({
		role: 'admin',
		summary: 'Build it again',
		body: Empty,
		answers: { 202: OperationAnswer }
	})
};

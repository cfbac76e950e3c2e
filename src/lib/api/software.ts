import { z } from 'zod';
import {
	ChangeForm,
	CreateForm,
	ImportForm,
	JavaWish,
	PACK_MAX_BYTES,
	Software,
	SoftwareApply,
	SoftwareApplyForm,
	SoftwarePlan,
	SoftwareVersions,
	SoftwareWish,
	UploadFields,
	VersionsQuery
} from '#schemas/software/software';
import { OperationAnswer } from './answers.ts';
import { action, json, jsonOrFile, page, uploadAction } from './define.ts';

const PACK = { file: 'file', maxBytes: PACK_MAX_BYTES, fields: UploadFields };

export const software = {
	'page /admin/server': page({
		role: 'admin',
		actions: {
			planCreate: action({ role: 'superadmin', body: CreateForm }),
			planImport: action({ role: 'superadmin', body: ImportForm }),
			upload: uploadAction({ role: 'superadmin', ...PACK }),
			planChange: action({ role: 'superadmin', body: ChangeForm }),
			apply: action({ role: 'superadmin', body: SoftwareApplyForm }),
			fetchJava: action({ role: 'superadmin', body: JavaWish })
		}
	}),
	'GET /api/software': json({
		role: 'admin',
		summary: 'Game, loader and Java',
		answers: { 200: Software }
	}),
	'GET /api/software/versions': json({
		role: 'admin',
		summary: 'What a server can be made of',
		query: VersionsQuery,
		answers: { 200: SoftwareVersions }
	}),
	'POST /api/software/plan': jsonOrFile({
		role: 'superadmin',
		summary: 'What creating a server, importing a pack or changing the build would do',
		...PACK,
		body: SoftwareWish,
		answers: { 200: z.object({ plan: SoftwarePlan }) }
	}),
	'POST /api/software/apply': json({
		role: 'superadmin',
		summary: 'Do exactly what was planned',
		body: SoftwareApply,
		answers: { 202: OperationAnswer }
	}),
	'POST /api/software/java': json({
		role: 'superadmin',
		summary: 'Fetch a Java into the dashboard’s own folder',
		body: JavaWish,
		answers: { 202: OperationAnswer }
	})
};

import { z } from 'zod';
import {
	ChangeForm,
	CreateForm,
	JavaWish,
	Software,
	SoftwareApply,
	SoftwareApplyForm,
	SoftwarePlan,
	SoftwareVersions,
	SoftwareWish,
	VersionsQuery
} from '#schemas/software/software';
import { OperationAnswer } from './answers.ts';
import { action, json, page } from './define.ts';

export const software = {
	'page /admin/server': page({
		role: 'admin',
		actions: {
			planCreate: action({ role: 'superadmin', body: CreateForm }),
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
	'POST /api/software/plan': json({
		role: 'superadmin',
		summary: 'What creating a server, or changing its build, would do',
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
		summary: "Fetch a Java into the dashboard's own folder",
		body: JavaWish,
		answers: { 202: OperationAnswer }
	})
};

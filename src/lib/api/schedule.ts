import { z } from 'zod';
import {
	Task,
	TaskCreate,
	TaskForm,
	TaskList,
	TaskRef,
	TaskResult,
	TaskRun,
	TaskToggle
} from '#schemas/task';
import { yesOrNo } from '#schemas/common';
import { action, json, page } from './define.ts';

const one = z.object({ task: Task });

export const schedule = {
	'page /admin/schedule': page({
		role: 'admin',
		actions: {
			add: action({ role: 'admin', body: TaskForm }),
			toggle: action({ role: 'admin', body: TaskRef.extend({ enabled: yesOrNo }) }),
			remove: action({ role: 'admin', body: TaskRef }),
			run: action({ role: 'admin', body: TaskRef })
		}
	}),
	'page /admin/schedule/confirm': page({ role: 'admin', query: TaskRef }),
	'GET /api/schedule/tasks': json({
		role: 'admin',
		summary: 'Scheduled tasks',
		answers: { 200: TaskList }
	}),
	'POST /api/schedule/tasks': json({
		role: 'admin',
		summary: 'Add one',
		body: TaskCreate,
		answers: { 201: one }
	}),
	'PATCH /api/schedule/tasks': json({
		role: 'admin',
		summary: 'Turn one on or off',
		body: TaskToggle,
		answers: { 200: one }
	}),
	'DELETE /api/schedule/tasks': json({
		role: 'admin',
		summary: 'Remove one',
		body: TaskRef,
		answers: { 204: null }
	}),
	'POST /api/schedule/tasks/run': json({
		role: 'admin',
		summary: 'Run one now; it is stopped after 60 seconds, and when the caller goes away',
		body: TaskRef,
		answers: { 200: TaskResult }
	}),
	'GET /api/schedule/runs': json({
		role: 'admin',
		summary: 'Recent runs',
		answers: { 200: z.object({ runs: z.array(TaskRun) }) }
	})
};

import { z } from 'zod';
import type { Role } from '#schemas/common';
import {
	Task,
	TaskBegun,
	TaskChange,
	TaskCreate,
	TaskEditForm,
	TaskForm,
	taskKind,
	TaskList,
	TaskQuestion,
	TaskRef,
	TaskResult,
	TaskRun,
	TaskWaitingRef,
	type TaskType
} from '#schemas/task';
import {
	Trigger,
	TriggerCreate,
	TriggerEditForm,
	TriggerForm,
	TriggerList,
	TriggerPatch,
	TriggerRef
} from '#schemas/trigger';
import { yesOrNo } from '#schemas/common';
import { action, json, page, type Stored } from './define.ts';

const one = z.object({ task: Task });
const oneTrigger = z.object({ trigger: Trigger });
const Switch = TaskRef.extend({ enabled: yesOrNo });

/** Some types of tasks are for superadmins alone, whatever is done with such a task or trigger. */
const roleOf = (...types: (TaskType | undefined)[]): Role | null =>
	types.some((type) => type && taskKind(type).role === 'superadmin') ? 'superadmin' : null;

/** The type that is stored under this id, and the one that it is to become. */
async function ofTask(id: string, { schedule }: Stored, next?: TaskType) {
	const { tasks, readOnly } = await schedule.list();
	const task = tasks.find((one) => one.id.toLowerCase() === id.toLowerCase());
	// What cannot be read now may be readable in a moment.
	if (!task && readOnly !== null) return 'superadmin';
	return roleOf(task?.type, next);
}

async function ofTrigger(id: string, { triggers }: Stored, next?: TaskType) {
	const { triggers: all } = await triggers.list();
	const trigger = all.find((one) => one.id === id.toLowerCase());
	return roleOf(trigger?.do.type, next);
}

async function ofWaiting(key: string, { schedule }: Stored) {
	const waiting = await schedule.waiting();
	return roleOf(waiting.find((one) => one.key === key)?.type);
}

type ById = { body: { id: string } };
const taskById = ({ body: { id } }: ById, stored: Stored) => ofTask(id, stored);
const triggerById = ({ body: { id } }: ById, stored: Stored) => ofTrigger(id, stored);

export const schedule = {
	'page /admin/schedule': page({
		role: 'admin',
		actions: {
			add: action({ role: 'admin', body: TaskForm, refine: ({ body }) => roleOf(body.type) }),
			toggle: action({ role: 'admin', body: Switch, refine: taskById }),
			remove: action({ role: 'admin', body: TaskRef, refine: taskById }),
			run: action({ role: 'admin', body: TaskRef, refine: taskById }),
			callOff: action({
				role: 'admin',
				body: TaskWaitingRef,
				refine: ({ body }, stored) => ofWaiting(body.key, stored)
			}),
			toggleTrigger: action({ role: 'admin', body: Switch, refine: triggerById }),
			removeTrigger: action({ role: 'admin', body: TaskRef, refine: triggerById })
		}
	}),
	'page /admin/schedule/edit': page({
		role: 'admin',
		query: TaskRef,
		actions: {
			task: action({
				role: 'admin',
				body: TaskEditForm,
				refine: ({ body }, stored) => ofTask(body.id, stored, body.type)
			}),
			trigger: action({
				role: 'admin',
				body: TriggerEditForm,
				refine: ({ body }, stored) => ofTrigger(body.id, stored, body.do.type)
			})
		}
	}),
	'page /admin/schedule/trigger': page({
		role: 'admin',
		actions: {
			add: action({
				role: 'admin',
				body: TriggerForm,
				refine: ({ body }) => roleOf(body.do.type)
			})
		}
	}),
	'page /admin/schedule/confirm': page({ role: 'admin', query: TaskQuestion }),
	'GET /api/schedule/tasks': json({
		role: 'admin',
		summary: 'Scheduled tasks',
		answers: { 200: TaskList }
	}),
	'POST /api/schedule/tasks': json({
		role: 'admin',
		summary: 'Add one; a console command needs a superadmin',
		body: TaskCreate,
		refine: ({ body }) => roleOf(body.type),
		answers: { 201: one }
	}),
	'PATCH /api/schedule/tasks': json({
		role: 'admin',
		summary: 'Change one: any field of a new one, or `enabled`',
		body: TaskChange,
		refine: ({ body }, stored) => ofTask(body.id, stored, body.type),
		answers: { 200: one }
	}),
	'DELETE /api/schedule/tasks': json({
		role: 'admin',
		summary: 'Remove one',
		body: TaskRef,
		refine: taskById,
		answers: { 204: null }
	}),
	'POST /api/schedule/tasks/run': json({
		role: 'admin',
		summary:
			'Run one now. A long one answers with its operation; any other is stopped after 60 seconds, and when the caller goes away',
		body: TaskRef,
		refine: taskById,
		answers: { 200: TaskResult, 202: TaskBegun }
	}),
	'GET /api/schedule/triggers': json({
		role: 'admin',
		summary: 'What is done when something happens',
		answers: { 200: TriggerList }
	}),
	'POST /api/schedule/triggers': json({
		role: 'admin',
		summary: 'Add a trigger; a console command needs a superadmin',
		body: TriggerCreate,
		refine: ({ body }) => roleOf(body.do.type),
		answers: { 201: oneTrigger }
	}),
	'PATCH /api/schedule/triggers/[id]': json({
		role: 'admin',
		summary: 'Change some of it',
		params: TriggerRef,
		body: TriggerPatch,
		refine: ({ params, body }, stored) => ofTrigger(params.id, stored, body.do?.type),
		answers: { 200: oneTrigger }
	}),
	'DELETE /api/schedule/triggers/[id]': json({
		role: 'admin',
		summary: 'Remove one',
		params: TriggerRef,
		refine: ({ params }, stored) => ofTrigger(params.id, stored),
		answers: { 204: null }
	}),
	'GET /api/schedule/runs': json({
		role: 'admin',
		summary: 'Recent runs',
		answers: { 200: z.object({ runs: z.array(TaskRun) }) }
	})
};

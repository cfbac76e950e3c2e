import { z } from 'zod';
import { Operation, OperationAgain, OperationList, OperationRef } from '#schemas/operation';
import { Empty } from '#schemas/server';
import { OperationAnswer } from './answers.ts';
import { action, json, page, stream } from './define.ts';

export const operations = {
	'page /admin/operations/[id]': page({
		role: 'admin',
		params: OperationRef,
		actions: {
			cancel: action({ role: 'admin', body: Empty }),
			culprit: action({ role: 'admin', body: Empty }),
			again: action({ role: 'admin', body: OperationAgain })
		}
	}),
	'GET /api/operations': json({
		role: 'admin',
		summary: 'Operations, newest first',
		query: OperationList,
		answers: { 200: z.object({ operations: z.array(Operation) }) }
	}),
	'GET /api/operations/[id]': json({
		role: 'admin',
		summary: 'One operation with its steps',
		params: OperationRef,
		answers: { 200: OperationAnswer }
	}),
	'POST /api/operations/[id]/cancel': json({
		role: 'admin',
		summary: 'Cancel it, while the step under way allows that',
		params: OperationRef,
		body: Empty,
		answers: { 200: OperationAnswer }
	}),
	'GET /api/operations/[id]/events': stream({
		role: 'admin',
		summary: 'Its events from the beginning, then live: operation, step, log, heartbeat, end',
		params: OperationRef
	})
};

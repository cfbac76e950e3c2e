import { z } from 'zod';
import { CountdownRequest } from '#schemas/server';
import {
	Snapshot,
	SnapshotCreate,
	SnapshotPatch,
	SnapshotPrune,
	SnapshotRef
} from '#schemas/snapshot';
import { OperationAnswer } from './answers.ts';
import { json } from './define.ts';

const one = z.object({ snapshot: Snapshot });

export const snapshots = {
	'GET /api/snapshots': json({
		role: 'admin',
		summary: 'Snapshots of the mods, newest first',
		answers: { 200: z.object({ snapshots: z.array(Snapshot) }) }
	}),
	'POST /api/snapshots': json({
		role: 'admin',
		summary: 'Take one now',
		body: SnapshotCreate,
		answers: { 201: one }
	}),
	'POST /api/snapshots/prune': json({
		role: 'admin',
		summary: 'Keep the newest ones, the pinned ones and those in use',
		body: SnapshotPrune,
		answers: { 200: z.object({ removed: z.int() }) }
	}),
	'PATCH /api/snapshots/[id]': json({
		role: 'admin',
		summary: 'Note it, pin it',
		params: SnapshotRef,
		body: SnapshotPatch,
		answers: { 200: one }
	}),
	'DELETE /api/snapshots/[id]': json({
		role: 'superadmin',
		summary: 'Delete it',
		params: SnapshotRef,
		answers: { 204: null }
	}),
	'POST /api/snapshots/[id]/restore': json({
		role: 'superadmin',
		summary: 'Put it back',
		params: SnapshotRef,
		body: CountdownRequest,
		answers: { 202: OperationAnswer }
	})
};

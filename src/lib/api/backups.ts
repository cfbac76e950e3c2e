import { z } from 'zod';
import {
	Backup,
	BackupCreate,
	BackupPatch,
	BackupRef,
	BackupRestore,
	BackupRestoreAsked,
	BackupRestoreForm
} from '#schemas/backup';
import { checkbox, PatchForm } from '#schemas/common';
import { countdownFields, Empty } from '#schemas/server';
import { SnapshotCreate, SnapshotPrune, SnapshotRef } from '#schemas/snapshot';
import { OperationAnswer } from './answers.ts';
import { action, download, json, page } from './define.ts';

const one = z.object({ backup: Backup });

export const backups = {
	'page /admin/backups': page({
		role: 'admin',
		actions: {
			create: action({ role: 'admin', body: BackupCreate.extend({ withMods: checkbox }) }),
			change: action({ role: 'admin', body: BackupRef.and(PatchForm) }),
			verify: action({ role: 'admin', body: BackupRef }),
			createSnapshot: action({ role: 'admin', body: SnapshotCreate }),
			changeSnapshot: action({ role: 'admin', body: SnapshotRef.and(PatchForm) }),
			verifySnapshot: action({ role: 'admin', body: SnapshotRef })
		}
	}),
	'page /admin/backups/prune': page({
		role: 'admin',
		query: SnapshotPrune,
		actions: { prune: action({ role: 'admin', body: SnapshotPrune }) }
	}),
	'page /admin/backups/confirm': page({
		role: 'superadmin',
		actions: {
			deleteBackup: action({ role: 'superadmin', body: BackupRef }),
			deleteSnapshot: action({ role: 'superadmin', body: SnapshotRef }),
			restoreSnapshot: action({ role: 'superadmin', body: SnapshotRef.extend(countdownFields) })
		}
	}),
	'page /admin/backups/restore': page({
		role: 'superadmin',
		query: BackupRestoreAsked,
		actions: { restore: action({ role: 'superadmin', body: BackupRestoreForm }) }
	}),
	'GET /api/backups': json({
		role: 'admin',
		summary: 'Backups, newest first',
		answers: { 200: z.object({ backups: z.array(Backup) }) }
	}),
	'POST /api/backups': json({
		role: 'admin',
		summary: 'Make one now',
		body: BackupCreate,
		answers: { 202: OperationAnswer }
	}),
	// An archive contains server.properties with its secrets.
	'GET /api/backups/[id]': download({
		role: 'superadmin',
		summary: 'Download it; Range is understood',
		params: BackupRef,
		answers: { 200: 'application/zstd', 206: 'application/zstd' }
	}),
	'PATCH /api/backups/[id]': json({
		role: 'admin',
		summary: 'Note it, pin it',
		params: BackupRef,
		body: BackupPatch,
		answers: { 200: one }
	}),
	'DELETE /api/backups/[id]': json({
		role: 'superadmin',
		summary: 'Delete it',
		params: BackupRef,
		answers: { 204: null }
	}),
	'POST /api/backups/[id]/verify': json({
		role: 'admin',
		summary: 'Read it back and compare it with its manifest',
		params: BackupRef,
		body: Empty,
		answers: { 202: one }
	}),
	'POST /api/backups/[id]/restore': json({
		role: 'superadmin',
		summary: 'Put back everything, one world or one player',
		params: BackupRef,
		body: BackupRestore,
		answers: { 202: OperationAnswer }
	})
};

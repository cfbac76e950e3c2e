import { z } from 'zod';
import { LogFiles, LogPage, LogPageQuery } from '#schemas/log';
import { download, json, page } from './define.ts';

export const logs = {
	'page /admin/logs': page({ role: 'admin' }),
	'GET /api/logs': json({
		role: 'admin',
		summary: 'Entries of a log or crash report, the newest that fit, oldest first; masked',
		query: LogPageQuery,
		answers: { 200: LogPage }
	}),
	'GET /api/logs/excerpt': download({
		role: 'admin',
		summary: 'The same entries as text to paste where strangers help, without addresses',
		query: LogPageQuery,
		answers: { 200: 'text/plain' }
	}),
	'GET /api/logs/files': json({
		role: 'admin',
		summary: 'Logs and crash reports, newest first',
		answers: { 200: LogFiles }
	}),
	'GET /api/logs/files/[name]': download({
		role: 'admin',
		summary: 'A whole file, unpacked and masked',
		params: z.object({ name: z.string() }),
		answers: { 200: 'text/plain' }
	})
};

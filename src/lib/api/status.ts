import { z } from 'zod';
import { Status } from '#schemas/status';
import { download, json, page } from './define.ts';

/** What everybody may see. */
export const status = {
	'page /': page({ role: 'public' }),
	'GET /api/status': json({
		role: 'public',
		summary: 'What is known of the server right now; unknown is null',
		answers: { 200: Status }
	}),
	'GET /og.png': download({
		role: 'public',
		summary: 'The picture beside a link to the public page, 1200 by 630',
		answers: { 200: 'image/png' }
	}),
	'GET /metrics': download({
		role: 'public',
		summary:
			'What was last measured, for Prometheus: needs METRICS_TOKEN as a Bearer token; a session does not help',
		answers: { 200: 'text/plain' }
	}),
	'GET /healthz': json({
		role: 'public',
		summary: 'Answers when the dashboard serves',
		answers: { 200: z.object({ ok: z.literal(true), version: z.string() }) }
	})
};

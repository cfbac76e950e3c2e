import { z } from 'zod';
import { SeenForm } from '#schemas/attention';
import { Empty, PowerRequest } from '#schemas/server';
import { EulaAccept, SetupStep } from '#schemas/setup';
import { OperationAnswer } from './answers.ts';
import { action, json, page } from './define.ts';

const change = (what: string) =>
	json({
		role: 'admin',
		summary: `${what} the server, after a countdown announced in game if there is a delay`,
		body: PowerRequest,
		answers: { 202: OperationAnswer }
	});

export const power = {
	'page /admin': page({
		role: 'admin',
		actions: {
			start: action({ role: 'admin', body: PowerRequest }),
			stop: action({ role: 'admin', body: PowerRequest }),
			restart: action({ role: 'admin', body: PowerRequest }),
			kill: action({ role: 'superadmin', body: Empty }),
			seen: action({ role: 'admin', body: SeenForm }),
			enableRcon: action({ role: 'superadmin', body: Empty }),
			acceptEula: action({ role: 'superadmin', body: EulaAccept })
		}
	}),
	'page /admin/confirm': page({ role: 'admin' }),
	// Where there is no page, this says so inside the dashboard.
	'page /admin/[...path]': page({ role: 'admin' }),
	'POST /api/server/start': change('Start'),
	'POST /api/server/stop': change('Stop'),
	'POST /api/server/restart': change('Restart'),
	'POST /api/server/kill': json({
		role: 'superadmin',
		summary: 'Kill a server that hangs; unsaved changes are lost',
		body: Empty,
		answers: { 200: z.object({ ok: z.literal(true), message: z.string() }) }
	}),
	// Its lines contain the RCON password.
	'GET /api/setup': json({
		role: 'superadmin',
		summary: 'What the server needs before it can be run, step by step',
		answers: { 200: z.object({ steps: z.array(SetupStep) }) }
	})
};

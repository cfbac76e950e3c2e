import { z } from 'zod';
import { OperationId } from '#schemas/operation';
import { SeenForm } from '#schemas/overview/attention';
import {
	Empty,
	PowerRequest,
	RestartForm,
	RestartRequest,
	StartForm,
	StartRequest
} from '#schemas/server';
import { EulaAccept, SetupStep } from '#schemas/setup';
import { OperationAnswer } from './answers.ts';
import { action, json, page } from './define.ts';

/** It may cost the world, which nothing but a backup brings back. */
const startRole = ({ body }: { body: StartRequest }) => (body.despiteWorld ? 'superadmin' : null);
/** `cancels`: the start that whoever asks has seen, which a stop cancels. */
const StopForm = PowerRequest.extend({ cancels: OperationId.optional() });
/** It may lose what the game has not saved. */
const restartRole = ({ body }: { body: RestartRequest }) => (body.kill ? 'superadmin' : null);

export const power = {
	'page /admin': page({
		role: 'admin',
		actions: {
			start: action({ role: 'admin', body: StartForm, refine: startRole }),
			stop: action({ role: 'admin', body: StopForm }),
			restart: action({ role: 'admin', body: RestartForm, refine: restartRole }),
			kill: action({ role: 'superadmin', body: Empty }),
			seen: action({ role: 'admin', body: SeenForm }),
			enableRcon: action({ role: 'superadmin', body: Empty }),
			acceptEula: action({ role: 'superadmin', body: EulaAccept }),
			hideTour: action({ role: 'admin', body: Empty }),
			showTour: action({ role: 'admin', body: Empty })
		}
	}),
	'page /admin/confirm': page({ role: 'admin' }),
	// Where there is no page, this says so inside the dashboard.
	'page /admin/[...path]': page({ role: 'admin' }),
	'POST /api/server/start': json({
		role: 'admin',
		summary:
			'Start the server; `despiteWorld` (superadmin) also when the world does not fit the game',
		body: StartRequest,
		refine: startRole,
		answers: { 202: OperationAnswer }
	}),
	'POST /api/server/stop': json({
		role: 'admin',
		summary: 'Stop the server, after a countdown announced in game if there is a delay',
		body: PowerRequest,
		answers: { 202: OperationAnswer }
	}),
	'POST /api/server/restart': json({
		role: 'admin',
		summary:
			'Restart the server, after a countdown announced in game if there is a delay; `kill` (superadmin) ends one that hung and does not end by itself',
		body: RestartRequest,
		refine: restartRole,
		answers: { 202: OperationAnswer }
	}),
	'POST /api/server/kill': json({
		role: 'superadmin',
		summary: 'Kill a server that is not responding; unsaved changes are lost',
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

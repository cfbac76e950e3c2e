import { stream } from './define.ts';

export const live = {
	'GET /api/events': stream({
		role: 'admin',
		summary: 'The live stream: status, chat, players, operation, heartbeat; ends after 10 minutes'
	})
};

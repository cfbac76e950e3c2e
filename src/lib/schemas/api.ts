import { z } from 'zod';
import { AuditEntry, AuditQuery } from './audit.ts';
import { ChatMessage, ChatQuery, ChatSend } from './chat.ts';
import { ConsoleAnswer, ConsoleCommand } from './console.ts';
import { LogFiles, LogPage, LogPageQuery } from './log-page.ts';
import { Operation, OperationList } from './operation.ts';
import { PlayerAction, PlayerResult, Players } from './player.ts';
import { Empty, PowerRequest } from './server.ts';
import { Settings, SettingsPatch } from './settings.ts';
import { Status } from './status.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export type ApiEntry = {
	summary: string;
	query?: z.ZodType;
	body?: z.ZodType;
	/** The answer's body; a string is its media type when it is not JSON; null for none. */
	answer: z.ZodType | string | null;
	status?: number;
};

const operation = z.object({ operation: Operation });
const settings = z.object({ settings: Settings });
const power = (what: string): ApiEntry => ({
	summary: `${what} the server, after a countdown announced in game if there is a delay`,
	body: PowerRequest,
	answer: operation,
	status: 202
});

/** Every JSON endpoint by route id, described once; `GET /api/openapi.json` is made from this. */
export const API: Record<string, Partial<Record<Method, ApiEntry>>> = {
	'/api/status': {
		GET: { summary: 'What is known of the server right now; unknown is null', answer: Status }
	},
	'/api/server/start': { POST: power('Start') },
	'/api/server/stop': { POST: power('Stop') },
	'/api/server/restart': { POST: power('Restart') },
	'/api/server/kill': {
		POST: {
			summary: 'Kill a server that hangs; unsaved changes are lost',
			body: Empty,
			answer: z.object({ ok: z.literal(true), message: z.string() })
		}
	},
	'/api/operations': {
		GET: {
			summary: 'Operations, newest first',
			query: OperationList,
			answer: z.object({ operations: z.array(Operation) })
		}
	},
	'/api/operations/[id]': { GET: { summary: 'One operation with its steps', answer: operation } },
	'/api/operations/[id]/cancel': {
		POST: {
			summary: 'Cancel it, while the step under way allows that',
			body: Empty,
			answer: operation
		}
	},
	'/api/operations/[id]/events': {
		GET: {
			summary: 'Its events from the beginning, then live: operation, step, heartbeat, end',
			answer: 'text/event-stream'
		}
	},
	'/api/events': {
		GET: {
			summary:
				'The live stream: status, chat, players, operation, heartbeat; ends after 10 minutes',
			answer: 'text/event-stream'
		}
	},
	'/api/players': {
		GET: { summary: 'Who plays, operators, whitelist, bans, and everyone seen', answer: Players },
		POST: {
			summary: 'Change a list, or kick; op and deop are for superadmins',
			body: PlayerAction,
			answer: PlayerResult
		}
	},
	'/api/chat': {
		GET: {
			summary: 'The last messages, oldest first',
			query: ChatQuery,
			answer: z.object({ messages: z.array(ChatMessage) })
		},
		POST: {
			summary: 'Speak in the game',
			body: ChatSend,
			answer: z.object({ message: ChatMessage })
		}
	},
	'/api/settings': {
		GET: { summary: 'What can be changed while it runs', answer: settings },
		PATCH: { summary: 'Change some of it', body: SettingsPatch, answer: settings }
	},
	'/api/logs': {
		GET: {
			summary: 'Entries of a log or crash report, the newest that fit, oldest first; masked',
			query: LogPageQuery,
			answer: LogPage
		}
	},
	'/api/logs/excerpt': {
		GET: {
			summary: 'The same entries as text to paste where strangers help, without addresses',
			query: LogPageQuery,
			answer: 'text/plain'
		}
	},
	'/api/logs/files': {
		GET: { summary: 'Logs and crash reports, newest first', answer: LogFiles }
	},
	'/api/logs/files/[name]': {
		GET: { summary: 'A whole file, unpacked and masked', answer: 'text/plain' }
	},
	'/api/console': {
		POST: {
			summary: 'Run one command on the server; what it answers',
			body: ConsoleCommand,
			answer: ConsoleAnswer
		}
	},
	'/api/audit': {
		GET: {
			summary: 'Who did what, newest first',
			query: AuditQuery,
			answer: z.object({ entries: z.array(AuditEntry) })
		}
	},
	'/api/openapi.json': {
		GET: { summary: 'This document', answer: z.record(z.string(), z.unknown()) }
	},
	'/healthz': {
		GET: {
			summary: 'Answers when the dashboard serves',
			answer: z.object({ ok: z.literal(true), version: z.string() })
		}
	}
};

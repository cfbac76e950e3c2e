import { z } from 'zod';
import { AuditEntry, AuditQuery } from './audit.ts';
import { Analytics, AnalyticsQuery, MetricEvents } from './analytics.ts';
import { Backup, BackupCreate, BackupPatch, BackupRestore } from './backup.ts';
import { ChatMessage, ChatQuery, ChatSend } from './chat.ts';
import { ClientErrorReport, ClientErrors, ClientErrorsQuery } from './client-error.ts';
import { ConsoleAnswer, ConsoleCommand } from './console.ts';
import { LogFiles, LogPage, LogPageQuery } from './log-page.ts';
import {
	InstalledMods,
	ModHits,
	ModInstall,
	ModPatch,
	ModProject,
	ModRemove,
	ModSearch,
	ModUpdate,
	ModUpdates,
	Plan,
	PlanRequest,
	UpdatesQuery
} from './mod.ts';
import { Operation, OperationList } from './operation.ts';
import { PlayerAction, PlayerResult, Players } from './player.ts';
import { Empty, PowerRequest } from './server.ts';
import { Settings, SettingsPatch } from './settings.ts';
import { SetupStep } from './setup.ts';
import { Snapshot, SnapshotCreate, SnapshotPatch, SnapshotPrune } from './snapshot.ts';
import { PlayerStatsList, PlaytimeList } from './stats.ts';
import { Status } from './status.ts';
import { Task, TaskCreate, TaskList, TaskRef, TaskResult, TaskRun, TaskToggle } from './task.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export type ApiEntry = {
	summary: string;
	query?: z.ZodType;
	body?: z.ZodType;
	/** The field of a form (multipart/form-data) that brings a file instead. */
	file?: string;
	/** The answer's body; a string is its media type when it is not JSON; null for none. */
	answer: z.ZodType | string | null;
	status?: number;
	/** What some requests are answered instead, by status. */
	others?: Record<number, z.ZodType | string>;
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
	'/api/players/stats': {
		GET: { summary: 'What every player has done, by the game’s own files', answer: PlayerStatsList }
	},
	'/api/players/playtime': {
		GET: { summary: 'Who played for how long, and when last', answer: PlaytimeList }
	},
	'/api/analytics': {
		GET: {
			summary: 'RAM, CPU, players and ticks over time, in steps',
			query: AnalyticsQuery,
			answer: Analytics
		}
	},
	'/api/analytics/marks': {
		GET: {
			summary: 'What happened to the server in the same time: starts, crashes, changes of mods',
			query: AnalyticsQuery,
			answer: MetricEvents
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
	'/api/setup': {
		GET: {
			summary: 'What the server needs before it can be run, step by step',
			answer: z.object({ steps: z.array(SetupStep) })
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
	'/api/mods': {
		GET: {
			summary: 'What lies in mods/, what it needs and what is wrong with it',
			answer: InstalledMods
		},
		PATCH: {
			summary: 'Enable or disable a mod (an operation); lock or share it (superadmin; answers ok)',
			body: ModPatch,
			answer: operation,
			status: 202,
			others: { 200: z.object({ ok: z.literal(true) }) }
		},
		DELETE: {
			summary: 'Remove mods; answers the operation’s events',
			body: ModRemove,
			answer: 'text/event-stream'
		}
	},
	'/api/mods/search': {
		GET: {
			summary: 'The registry, narrowed to this server’s loader and game version',
			query: ModSearch,
			answer: ModHits
		}
	},
	'/api/mods/projects/[id]': {
		GET: {
			summary: 'One project with its versions',
			answer: z.object({ project: ModProject })
		}
	},
	'/api/mods/icons/[projectId]': {
		GET: { summary: 'A project’s icon: PNG, WebP or JPEG', answer: 'image/png' }
	},
	'/api/mods/plan': {
		POST: {
			summary: 'What a change comes to, before anything is done',
			body: PlanRequest,
			answer: z.object({ plan: Plan })
		}
	},
	'/api/mods/install': {
		POST: {
			summary: 'Install a mod with what it needs; answers the operation’s events',
			body: ModInstall,
			answer: 'text/event-stream'
		}
	},
	'/api/mods/updates': {
		GET: {
			summary: 'The newest version that fits, per mod',
			query: UpdatesQuery,
			answer: ModUpdates
		}
	},
	'/api/mods/update': {
		POST: {
			summary:
				'Update mods, and take it back if the server does not come up healthy; answers the operation’s events',
			body: ModUpdate,
			answer: 'text/event-stream'
		}
	},
	'/api/mods/upload': {
		POST: {
			summary: 'Install a jar of one’s own',
			file: 'jar',
			answer: operation,
			status: 202
		}
	},
	'/api/modpack': {
		GET: { summary: 'The pack for players', answer: 'application/x-modrinth-modpack+zip' },
		POST: { summary: 'Build it again', body: Empty, answer: operation, status: 202 }
	},
	'/api/snapshots': {
		GET: {
			summary: 'Snapshots of the mods, newest first',
			answer: z.object({ snapshots: z.array(Snapshot) })
		},
		POST: {
			summary: 'Take one now',
			body: SnapshotCreate,
			answer: z.object({ snapshot: Snapshot }),
			status: 201
		}
	},
	'/api/snapshots/prune': {
		POST: {
			summary: 'Keep the newest ones, the pinned ones and those in use',
			body: SnapshotPrune,
			answer: z.object({ removed: z.int() })
		}
	},
	'/api/snapshots/[id]': {
		PATCH: {
			summary: 'Note it, pin it',
			body: SnapshotPatch,
			answer: z.object({ snapshot: Snapshot })
		},
		DELETE: { summary: 'Delete it', answer: null, status: 204 }
	},
	'/api/snapshots/[id]/restore': {
		POST: { summary: 'Put it back', body: Empty, answer: operation, status: 202 }
	},
	'/api/backups': {
		GET: {
			summary: 'Backups, newest first',
			answer: z.object({ backups: z.array(Backup) })
		},
		POST: { summary: 'Make one now', body: BackupCreate, answer: operation, status: 202 }
	},
	'/api/backups/[id]': {
		GET: {
			summary: 'Download it; Range is understood',
			answer: 'application/zstd',
			others: { 206: 'application/zstd' }
		},
		PATCH: { summary: 'Note it, pin it', body: BackupPatch, answer: z.object({ backup: Backup }) },
		DELETE: { summary: 'Delete it', answer: null, status: 204 }
	},
	'/api/backups/[id]/verify': {
		POST: {
			summary: 'Read it back and compare it with its manifest',
			body: Empty,
			answer: z.object({ backup: Backup }),
			status: 202
		}
	},
	'/api/backups/[id]/restore': {
		POST: {
			summary: 'Put back everything, one world or one player',
			body: BackupRestore,
			answer: operation,
			status: 202
		}
	},
	'/api/schedule/tasks': {
		GET: { summary: 'Scheduled tasks', answer: TaskList },
		POST: {
			summary: 'Add one',
			body: TaskCreate,
			answer: z.object({ task: Task }),
			status: 201
		},
		PATCH: { summary: 'Turn one on or off', body: TaskToggle, answer: z.object({ task: Task }) },
		DELETE: { summary: 'Remove one', body: TaskRef, answer: null, status: 204 }
	},
	'/api/schedule/tasks/run': {
		POST: {
			summary: 'Run one now; it is stopped after 60 seconds, and when the caller goes away',
			body: TaskRef,
			answer: TaskResult
		}
	},
	'/api/schedule/runs': {
		GET: { summary: 'Recent runs', answer: z.object({ runs: z.array(TaskRun) }) }
	},
	'/api/audit': {
		GET: {
			summary: 'Who did what, newest first',
			query: AuditQuery,
			answer: z.object({ entries: z.array(AuditEntry) })
		}
	},
	'/api/errors': {
		GET: {
			summary: 'What went wrong in browsers, grouped, newest first',
			query: ClientErrorsQuery,
			answer: ClientErrors
		},
		POST: {
			summary: 'A page tells of an error in the browser; 204 whatever is sent',
			body: ClientErrorReport,
			answer: null,
			status: 204
		}
	},
	'/api/openapi.json': {
		GET: { summary: 'This document', answer: z.record(z.string(), z.unknown()) }
	},
	'/og.png': {
		GET: {
			summary: 'The picture beside a link to the public page, 1200 by 630',
			answer: 'image/png'
		}
	},
	'/healthz': {
		GET: {
			summary: 'Answers when the dashboard serves',
			answer: z.object({ ok: z.literal(true), version: z.string() })
		}
	}
};

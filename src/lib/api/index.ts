import type { z } from 'zod';
import { activity } from './activity.ts';
import { analytics } from './analytics.ts';
import { backups } from './backups.ts';
import { chat } from './chat.ts';
import { console } from './console.ts';
import type { Answers } from './define.ts';
import { document } from './openapi/document.ts';
import { errors } from './errors.ts';
import { live } from './live.ts';
import { logs } from './logs.ts';
import { mods } from './mods.ts';
import { notifications } from './notifications.ts';
import { operations } from './operations.ts';
import { players } from './players.ts';
import { power } from './power.ts';
import { schedule } from './schedule.ts';
import { session } from './session.ts';
import { settings } from './settings.ts';
import { snapshots } from './snapshots.ts';
import { software } from './software.ts';
import { status } from './status.ts';
import { upgrades } from './upgrades.ts';

export type {
	Action,
	Answers,
	Endpoint,
	FormAction,
	InputOf,
	Least,
	Page,
	Stored,
	UploadAction
} from './define.ts';
export { createOpenApi } from './openapi/openapi.ts';

/**
 * Every address of the dashboard, each once: who may use it, what it takes and what it answers. Keys are a method and
 * kit's route id, or `page` and its route id. Anything else is refused to everybody. The rule behind the roles: no
 * path may let an admin become operator or run code.
 *
 * The browser imports types from here, never values.
 */
export const api = {
	...status,
	...session,
	...power,
	...operations,
	...live,
	...players,
	...analytics,
	...chat,
	...settings,
	...logs,
	...console,
	...mods,
	...snapshots,
	...software,
	...upgrades,
	...backups,
	...schedule,
	...activity,
	...errors,
	...notifications,
	...document
};

export type Api = typeof api;
export type PageKey = Extract<keyof Api, `page ${string}`>;
export type EndpointKey = Exclude<keyof Api, PageKey>;

type JsonOf<A extends Answers> = {
	[S in keyof A]: A[S] extends z.ZodType ? z.output<A[S]> : never;
}[keyof A];
/** The JSON that an endpoint answers on success. */
export type ApiAnswer<K extends EndpointKey> = JsonOf<Api[K]['answers']>;

import { totalmem } from 'node:os';
import path from 'node:path';
import type { z } from 'zod';
import type { ModTitles } from '#schemas/plain/mod-titles';
import type { Settings } from '#schemas/settings';
import type { Bus } from '#core/bus';
import type { Clock } from '#core/clock';
import type { Logger } from '#core/log';
import type { ServerConfig } from '#env';
import type { AppEvent } from '../events.ts';
import type { Operations } from '#operations';
import type { Analytics } from '#services/analytics';
import type { Audit } from '#services/audit';
import type { createChatView } from '#services/chat';
import {
	CHANNELS_VERSION,
	ChannelsFile,
	DevicesFile,
	createInbox,
	createMailer,
	createNotifications,
	createPoster,
	createTransports,
	firstChannels,
	InboxFile,
	NO_DEVICES,
	NO_VAPID,
	NOTHING_TOLD,
	DispatcherState,
	VapidFile
} from '#services/notifications';
import type { Power } from '#services/power';
import type { SettingsService } from '#services/settings';
import { createStateFile } from '#storage/state-file';

type Needs = {
	clock: Clock;
	log: Logger;
	bus: Bus<AppEvent>;
	audit: Audit;
	power: Power;
	operations: Operations;
	analytics: Analytics;
	chat: Pick<ReturnType<typeof createChatView>, 'subscribe'>;
	serverName: () => Promise<string>;
	publicUrl: URL | null;
	markOf: (name: string) => string | null;
	settings: Pick<SettingsService, 'get'>;
	/** Of the mods that a diagnosis names. */
	modTitles: (named: string[]) => Promise<ModTitles>;
};

/** Who is notified of what, and how. */
export function wireNotifications(config: ServerConfig, needs: Needs) {
	const { clock, log, bus, audit, power, operations, analytics, chat } = needs;
	const dir = path.join(config.dataDir, 'notifications');
	const file = <T>(name: string, schema: z.ZodType<T>, defaults: T, version = 1) =>
		createStateFile({
			file: path.join(config.dataDir, name),
			schema,
			version,
			defaults,
			warn: log.warn
		});
	const transports = createTransports();
	const notifications = createNotifications({
		demo: config.demo,
		files: {
			channels: file(
				'notifications.json',
				ChannelsFile,
				firstChannels(config.demo),
				CHANNELS_VERSION
			),
			noise: file('notifications/noise.json', DispatcherState, NOTHING_TOLD)
		},
		push: {
			files: {
				devices: file('notifications/devices.json', DevicesFile, NO_DEVICES),
				vapid: file('notifications/vapid.json', VapidFile, NO_VAPID)
			},
			origins: config.pushOrigins,
			contact: config.pushContact,
			publicUrl: needs.publicUrl,
			markOf: needs.markOf
		},
		inbox: createInbox(file('notifications/inbox.json', InboxFile, { entries: [] })),
		queueDir: path.join(dir, 'queue'),
		post: createPoster({ transports, userAgent: `craftwarden/${config.version}`, clock }),
		mail: createMailer({ clock }),
		place: async () => ({ name: await needs.serverName(), publicUrl: needs.publicUrl }),
		subscribe: bus.subscribe,
		observe: power.observe,
		modTitles: needs.modTitles,
		busy: () => operations.busy() !== null,
		operation: operations.get,
		operations: operations.list,
		measured: analytics.latest,
		limits: async () => limitsOf(await needs.settings.get()),
		chat: chat.subscribe,
		audit: audit.record,
		...{ clock, log }
	});
	return {
		notifications,
		async close() {
			await notifications.close();
			for (const transport of Object.values(transports)) transport.close();
		}
	};
}

const limitsOf = ({ performanceTpsBelow, performanceRamAbove, performanceMinutes }: Settings) => ({
	tpsBelow: performanceTpsBelow,
	ramAboveBytes: performanceRamAbove ? (totalmem() * performanceRamAbove) / 100 : null,
	minutes: performanceMinutes
});

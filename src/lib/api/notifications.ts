import { z } from 'zod';
import {
	ChannelAddForm,
	ChannelCreate,
	ChannelEditForm,
	ChannelKindInfo,
	ChannelPatch,
	ChannelRef,
	ChannelTest,
	ChannelToggleForm,
	InboxEntry,
	NotificationChannel,
	NotificationsQuery
} from '#schemas/notifications/channel';
import {
	DeviceRef,
	PushDevice,
	PushEnd,
	PushState,
	PushSubscription
} from '#schemas/notifications/push';
import { action, json, page } from './define.ts';

const one = z.object({ channel: NotificationChannel });
const role = 'superadmin';

/** Addresses that the machine will contact: for superadmins only. */
export const notifications = {
	'page /admin/notifications': page({
		role,
		query: NotificationsQuery,
		actions: {
			add: action({ role, body: ChannelAddForm }),
			save: action({ role, body: ChannelEditForm }),
			toggle: action({ role, body: ChannelToggleForm }),
			test: action({ role, body: ChannelRef }),
			remove: action({ role, body: ChannelRef })
		}
	}),
	'page /admin/devices': page({
		role: 'admin',
		actions: { end: action({ role: 'admin', body: DeviceRef }) }
	}),
	'GET /api/notifications/push': json({
		role: 'admin',
		summary: 'Your own devices that get notifications, and the key to subscribe another',
		answers: { 200: PushState }
	}),
	'POST /api/notifications/push': json({
		role: 'admin',
		summary: 'Turn on this device: the browser’s own subscription',
		body: PushSubscription,
		answers: { 201: z.object({ device: PushDevice }) }
	}),
	'DELETE /api/notifications/push': json({
		role: 'admin',
		summary: 'End this device: the browser’s subscription, or its address',
		body: PushEnd,
		answers: { 204: null }
	}),
	'GET /api/notifications/channels': json({
		role,
		summary: 'The channels, without secrets; the available kinds; in a demo, its inbox',
		answers: {
			200: z.object({
				channels: z.array(NotificationChannel),
				kinds: z.array(ChannelKindInfo),
				inbox: z.array(InboxEntry).nullable()
			})
		}
	}),
	'POST /api/notifications/channels': json({
		role,
		summary: 'Add a channel: its kind says which fields it needs',
		body: ChannelCreate,
		answers: { 201: one }
	}),
	'PATCH /api/notifications/channels/[id]': json({
		role,
		summary: 'Change a channel: what is absent or empty stays, null removes',
		params: ChannelRef,
		body: ChannelPatch,
		answers: { 200: one }
	}),
	'DELETE /api/notifications/channels/[id]': json({
		role,
		summary: 'Remove a channel and what waits for it',
		params: ChannelRef,
		answers: { 204: null }
	}),
	'POST /api/notifications/channels/[id]/test': json({
		role,
		summary: 'Send a test now; the answer is the service’s own',
		params: ChannelRef,
		answers: { 200: ChannelTest }
	})
};

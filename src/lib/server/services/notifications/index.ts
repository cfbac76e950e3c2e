import type { ChatByRole } from '#schemas/chat';
import {
	CHANNELS_MAX,
	type ChannelCreate,
	type ChannelKindInfo,
	type ChannelPatch,
	type ChannelTest,
	type InboxEntry,
	type NotificationChannel
} from '#schemas/notifications/channel';
import type { Operation } from '#schemas/operation';
import type { ModTitles } from '#schemas/plain/mod-titles';
import type { Actor, RecordAction } from '#core/actor';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { AppEvent } from '#events';
import type { StateFile } from '#storage/state-file';
import {
	changedChannel,
	changeOf,
	isActive,
	kindOf,
	kindsFor,
	newChannel,
	secretsOf,
	shownChannel,
	tooMany,
	type ChannelsFile,
	type StoredChannel
} from './channels.ts';
import { createChatBundles } from './chat.ts';
import { infoOf, type Answer, type Outbound } from './kinds/index.ts';
import type { Inbox } from './inbox.ts';
import type { Message } from './message.ts';
import type { Report } from './noise/index.ts';
import type { Mailer } from './mail.ts';
import type { Poster } from './outbound.ts';
import { createQueue } from './queue/index.ts';
import {
	auditReports,
	backupDamaged,
	chatReports,
	createOperatorSource,
	createPaceSource,
	createServerSource,
	gaveUpReports,
	NEWS_MS,
	operationReports,
	startReports,
	findingReports,
	type Limits,
	type Measured,
	type Seen
} from './sources.ts';
import { createPush, type Push, type PushDeps } from './push/index.ts';
import { plainLine } from './text.ts';
import { createDispatcher, type DispatcherState } from './dispatcher.ts';
import { linksOf, type Place } from './describe.ts';
import { titled } from './titles.ts';

export { ChannelsFile, CHANNELS_VERSION, firstChannels } from './channels.ts';
export { createInbox, InboxFile } from './inbox.ts';
export { createMailer } from './mail.ts';
export { createPoster, createTransports } from './outbound.ts';
export { DevicesFile, NO_DEVICES, NO_VAPID, VapidFile } from './push/index.ts';
export { NEW_PLACE } from './sources.ts';
export { NOTHING_TOLD, DispatcherState } from './dispatcher.ts';

type BrokenChannel = { name: string; problem: string; since: string | null };

/** Notifies people elsewhere: through which channels, about what, and with which result. */
export interface Notifications {
	list(): Promise<NotificationChannel[]>;
	/** The kinds that can be set up here, in the order of the page. */
	kinds(): ChannelKindInfo[];
	/** AppError `invalid` names the field, `conflict` when there are too many. */
	create(input: ChannelCreate, by: Actor): Promise<NotificationChannel>;
	/** Absent and empty fields stay; AppError `not-found`. */
	change(id: string, patch: ChannelPatch, by: Actor): Promise<NotificationChannel>;
	remove(id: string, by: Actor): Promise<void>;
	/** Sends one message now, bypassing the queue; returns the service's own answer. */
	test(id: string, by: Actor): Promise<ChannelTest>;
	/** What the demo's inbox received, newest first; null outside of the demo. */
	inbox(): Promise<InboxEntry[] | null>;
	/** People's own devices. */
	push: Push;
	/** Channels that nothing has reached for a while, or that take nothing any more. */
	broken(): Promise<BrokenChannel[]>;
	/** Whether anybody is notified of anything. */
	wanted(): Promise<boolean>;
	start(): void;
	close(): Promise<void>;
}

export type Deps = {
	demo: boolean;
	files: { channels: StateFile<ChannelsFile>; noise: StateFile<DispatcherState> };
	push: PushDeps;
	inbox: Inbox;
	queueDir: string;
	post: Poster;
	mail: Mailer;
	place: () => Promise<Place>;
	subscribe: (listener: (fact: AppEvent) => void) => () => void;
	observe: () => Promise<Seen>;
	/** What people call the mods that a diagnosis names. */
	modTitles: (named: string[]) => Promise<ModTitles>;
	/** Whether an operation has the server, which then decides what an end of the process means. */
	busy: () => boolean;
	operation: (id: string) => Promise<Operation>;
	/** The last ones, newest first. */
	operations: () => Promise<Operation[]>;
	measured: () => Measured | null;
	/** When it counts as slow. */
	limits: () => Promise<Limits>;
	chat: (listener: (messages: ChatByRole) => void) => () => void;
	audit: RecordAction;
	clock: Clock;
	log: {
		info(message: string, facts?: object): void;
		warn(message: string, facts?: { cause?: unknown }): void;
		error(message: string, facts?: { cause?: unknown }): void;
	};
};

const PACE_EVERY_MS = 15_000;
/** A service that has a problem of its own for as long as this needs a person. */
const PATIENCE_MS = 15 * 60_000;
/** What ends together is not noted together. */
const OVERLAP_MS = 60_000;
const CHAT_TTL_MS = 10 * 60_000;
/** More waiting bundles than that are dropped: nobody wants to read old chat. */
const CHAT_BEHIND = 10;

export function createNotifications(deps: Deps): Notifications {
	const { demo, files, clock, log, audit } = deps;
	const closing = new AbortController();
	const stored = async () => (await files.channels.read()).channels;
	const find = async (id: string) => {
		const channel = (await stored()).find((one) => one.id === id);
		if (!channel) throw new AppError('not-found', 'There is no such channel.');
		return channel;
	};

	function outboundOf(channel: StoredChannel, signal: AbortSignal): Outbound {
		const { allowPrivate, name } = channel;
		const secrets = secretsOf(channel);
		return {
			post: (request) => deps.post({ ...request, secrets }, allowPrivate, signal),
			mail: (mail) => deps.mail(mail, allowPrivate, signal),
			inbox: (message) => deps.inbox.add(message, name),
			nowS: () => Math.floor(clock.now().getTime() / 1000)
		};
	}
	async function send(id: string, message: Message, signal: AbortSignal): Promise<Answer> {
		const pushed = await push.send(id, message, signal);
		if (pushed) return pushed;
		const channel = await find(id);
		return kindOf(channel.kind, demo).send(channel.config, message, outboundOf(channel, signal));
	}
	const queue = createQueue({
		...{ dir: deps.queueDir, send, clock, log },
		gone: async (id, words) => {
			if (await push.forget(id)) return;
			await files.channels.update(({ channels }) => ({
				channels: channels.map((one) => (one.id === id ? { ...one, gone: words } : one))
			}));
			log.warn('A notification channel was turned off: its service no longer accepts messages');
		}
	});
	const push = createPush({ ...deps.push, queue, post: deps.post, audit, clock, log });
	/** Every recipient, be it a channel or a device. */
	const recipients = async () => [...(await stored()), ...(await push.recipients())];
	const dispatcher = createDispatcher({
		...{ clock, log, file: files.noise, place: deps.place, recipients },
		add: (channel, message) => queue.add(channel, message)
	});

	const tell = (reports: Report[]) =>
		void dispatcher.tell(reports).catch((cause) => log.error('A notification was lost', { cause }));
	const serverSource = createServerSource();
	const paceSource = createPaceSource();
	const operators = createOperatorSource();

	/** What ended while nobody listened: just before a kill, or as the first thing after it. */
	async function catchUp() {
		const notedMs = await dispatcher.notedAt();
		if (!notedMs) return;
		const sinceMs = Math.max(notedMs - OVERLAP_MS, clock.now().getTime() - NEWS_MS);
		const missed = (await deps.operations()).filter(
			({ finishedAt }) => finishedAt !== null && Date.parse(finishedAt) > sinceMs
		);
		const seen = await observe();
		tell(missed.toReversed().flatMap((one) => operationReports(one, seen)));
		await look();
		if (missed[0]) tell(startReports(missed[0], seen));
	}

	const observe = async () => titled(await deps.observe(), deps.modTitles);
	async function look() {
		tell(serverSource(await observe(), clock.now(), deps.busy()));
	}
	const safely = (work: () => Promise<void>) =>
		work().catch((cause) => log.error('An event could not be reported', { cause }));

	function hear(fact: AppEvent) {
		const now = clock.now();
		switch (fact.type) {
			case 'server-changed':
				return void safely(look);
			case 'gave-up':
				return void safely(async () => {
					await look(); // the crash itself comes first
					tell(gaveUpReports(fact, await observe(), now));
				});
			case 'findings':
				if (fact.findings.operators) tell(operators.seen(fact.findings.operators, now));
				return tell(findingReports(fact.findings, now));
			case 'backup-damaged':
				return tell(backupDamaged(fact, now));
			case 'audited':
				operators.heard(fact.entry);
				return tell(auditReports(fact.entry));
			case 'operation':
				if (fact.summary.state === 'running') return;
				return void safely(async () => {
					const operation = await deps.operation(fact.summary.id);
					const seen = await observe();
					tell(operationReports(operation, seen));
					await look(); // it may say that the server was stopped, which a failed start comes after
					tell(startReports(operation, seen));
				});
		}
	}

	const say = createChatBundles({
		...{ clock, closing: closing.signal },
		send: (message) =>
			void safely(async () => {
				for (const { id, kind } of (await stored()).filter(isActive))
					if (kindOf(kind, demo).takes === 'chat' && queue.stateOf(id).waiting < CHAT_BEHIND)
						await queue.add(id, message, CHAT_TTL_MS);
			})
	});
	let unhearChat: (() => void) | null = null;
	let unhear = () => {};
	let starting: Promise<void> | null = null;

	/** The log is read for the chat only while somebody wants it. */
	async function heedChat() {
		const active = (await stored()).filter(isActive);
		const wanted = active.some(
			({ kind, events }) =>
				kindOf(kind, demo).takes === 'chat' ||
				events.some((event) => event === 'player.joined' || event === 'player.left')
		);
		if (closing.signal.aborted) return;
		if (!wanted) {
			unhearChat?.();
			unhearChat = null;
			return;
		}
		const since = clock.now().toISOString();
		unhearChat ??= deps.chat(({ admin }) => {
			// The log is read from its end backwards first: those lines are from before anybody wanted them.
			const fresh = admin.filter(({ at }) => at >= since);
			say(fresh);
			tell(chatReports(fresh));
		});
	}

	async function watchPace() {
		while (!closing.signal.aborted) {
			const measured = deps.measured();
			if (measured) tell(paceSource(measured, await deps.limits(), clock.now()));
			await clock.sleep(PACE_EVERY_MS, closing.signal).catch(() => {}); // closed
		}
	}

	async function changed(channel: StoredChannel) {
		tested.delete(channel.id);
		await queue.reset(channel.id, isActive(channel));
		await heedChat();
	}
	/** The result of the last test; a real delivery afterwards says more. */
	const tested = new Map<string, { at: string; problem: string | null }>();
	function shown(channel: StoredChannel) {
		const { waiting, problem, lastSentAt } = queue.stateOf(channel.id);
		const test = tested.get(channel.id);
		const newest = test && test.at > (lastSentAt ?? '') ? test : null;
		return shownChannel(channel, {
			waiting,
			problem: problem ?? newest?.problem ?? null,
			lastSentAt: newest && !newest.problem ? newest.at : lastSentAt
		});
	}

	return {
		list: async () => (await stored()).map(shown),
		kinds: () => kindsFor(demo).map(infoOf),
		async create(input, by) {
			const channel = newChannel(input, demo);
			await files.channels.update(({ channels }) => {
				if (channels.length >= CHANNELS_MAX) throw tooMany();
				return { channels: [...channels, channel] };
			});
			await audit(by, 'notifications.add', { subject: channel.name, detail: channel.kind });
			await changed(channel);
			return shown(channel);
		},
		async change(id, patch, by) {
			const before = await find(id);
			const channel = changedChannel(before, patch, demo);
			await files.channels.update(({ channels }) => ({
				channels: channels.map((one) => (one.id === id ? channel : one))
			}));
			const { action, detail } = changeOf(before, channel);
			await audit(by, action, { subject: channel.name, detail });
			await changed(channel);
			return shown(channel);
		},
		async remove(id, by) {
			const { name } = await find(id);
			await files.channels.update(({ channels }) => ({
				channels: channels.filter((one) => one.id !== id)
			}));
			await audit(by, 'notifications.remove', { subject: name });
			await queue.drop(id);
			await heedChat();
		},
		async test(id, by) {
			const channel = await find(id);
			const { outcome, words, status, answer } = await send(
				id,
				testMessage(await deps.place(), clock.now()),
				closing.signal
			);
			const ok = outcome === 'delivered';
			tested.set(id, { at: clock.now().toISOString(), problem: ok ? null : words });
			const result = ok ? 'done' : 'failed';
			await audit(by, 'notifications.test', { subject: channel.name, result, detail: words });
			return { ok, status, message: words, answer };
		},
		inbox: async () => (demo ? deps.inbox.list() : null),
		push,
		async broken() {
			const before = new Date(clock.now().getTime() - PATIENCE_MS).toISOString();
			return (await stored()).flatMap(({ id, name, gone }): BrokenChannel[] => {
				const { problem, failingSince } = queue.stateOf(id);
				if (gone) return [{ name, problem: gone, since: null }];
				const isBroken = problem && failingSince && failingSince < before;
				return isBroken ? [{ name, problem, since: failingSince }] : [];
			});
		},
		wanted: async () => (await recipients()).some(isActive),
		start() {
			unhear = deps.subscribe(hear);
			starting = safely(async () => {
				const known = await recipients();
				await queue.open(known.map((one) => ({ id: one.id, enabled: isActive(one) })));
				dispatcher.start();
				await heedChat();
				await catchUp();
				await look();
			});
			void safely(watchPace);
		},
		async close() {
			unhear();
			unhearChat?.();
			closing.abort();
			await starting;
			await dispatcher.close();
			await queue.close();
		}
	};
}

const PAGE = '/admin/notifications';
const testMessage = (place: Place, now: Date): Message => ({
	...{ id: `test ${now.getTime()}`, event: 'test', at: now.toISOString(), level: 'good' },
	title: `${plainLine(place.name, 60)}: this is a test`,
	text: 'Messages from Craftwarden arrive here. Nothing has happened.',
	...linksOf(place, PAGE),
	data: {}
});

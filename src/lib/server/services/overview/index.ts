import type { Backup } from '#schemas/backup';
import type { ChatMessage } from '#schemas/chat';
import type { Role } from '#schemas/common';
import type { OnlinePlayer } from '#schemas/live';
import type { Cockpit } from '#schemas/overview/overview';
import { CHAT_LOOKED_AT, chatLines } from '#schemas/overview/chat-lines';
import { isGood } from '#schemas/plain/good-backup';
import type { TaskList } from '#schemas/task';
import { isComing, type Known } from '#core/ttl-cache';

export { createTour } from './tour.ts';

type Deps = {
	online: () => OnlinePlayer[];
	chat: (count: number, viewer: Role) => Promise<ChatMessage[]>;
	tasks: () => Promise<Known<Pick<TaskList, 'tasks'>>>;
	backups: () => Promise<Known<Backup[]>>;
	machine: () => Promise<Known<Pick<Cockpit & object, 'memory'> & { disks: Disk[] }>>;
	labelOf: (type: TaskList['tasks'][number]['type']) => string;
};
type Disk = { freeBytes: number; totalBytes: number };

/** What the overview shows beside the state: from known data, so that frequent requests cost nothing. */
export function createOverview(deps: Deps) {
	return async (viewer: Role): Promise<Cockpit> => {
		const [chat, tasks, backups, machine] = await Promise.all([
			deps.chat(CHAT_LOOKED_AT, viewer),
			deps.tasks(),
			deps.backups(),
			deps.machine()
		]);
		return {
			online: deps.online(),
			chat: chatLines(chat),
			nextTask: tasks.value && nextOf(tasks.value, deps),
			backup: backups.value && newestOf(backups.value),
			disk: machine.value?.disks[0] ?? null,
			memory: machine.value?.memory ?? null,
			pending: [tasks, backups, machine].some(isComing)
		};
	};
}

function nextOf({ tasks }: Pick<TaskList, 'tasks'>, { labelOf }: Deps): Cockpit['nextTask'] {
	const due = tasks.flatMap(({ enabled, nextRunAt, type }) =>
		enabled && nextRunAt ? [{ at: nextRunAt, words: labelOf(type) }] : []
	);
	return due.sort((a, b) => (a.at < b.at ? -1 : 1))[0] ?? 'none';
}

function newestOf(backups: Backup[]): Cockpit['backup'] {
	const newest = backups.find(isGood);
	return newest ? { id: newest.id, at: newest.createdAt, bytes: newest.bytes } : 'none';
}

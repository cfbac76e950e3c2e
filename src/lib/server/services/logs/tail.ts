import type { Role } from '#schemas/common';
import type { LogHit } from '#schemas/log';
import { createBus } from '#core/bus';
import type { LogMask } from '#minecraft/mask';
import type { LogReader } from '#minecraft/logs';

type Listener = (entries: LogHit[]) => void;

/** One reader of the growing log for all subscribers; runs only while there are any. */
export interface SharedTail {
	subscribe(viewer: Role, listener: Listener): () => void;
	close(): void;
}

type Deps = {
	reader: Pick<LogReader, 'tail'>;
	follower: { subscribe(listener: () => void): () => void };
	masks: () => Promise<Record<Role, LogMask>>;
	log: { error(message: string, facts: { cause: unknown }): void };
};

const ROLES: Role[] = ['admin', 'superadmin'];

export function createSharedTail({ reader, follower, masks, log }: Deps): SharedTail {
	const buses = { admin: createBus<LogHit[]>(), superadmin: createBus<LogHit[]>() };
	const viewers = { admin: 0, superadmin: 0 };
	let stop: (() => void) | null = null;

	function start() {
		const tail = reader.tail();
		let due = false;
		let ended = false;
		let reading: Promise<void> | null = null;

		const readAll = async () => {
			while (due && !ended) {
				due = false;
				const present = ROLES.filter((role) => viewers[role] > 0);
				const views = await masks();
				const hits = await tail.read(present.map((role) => views[role]));
				for (const [i, role] of present.entries())
					if (hits[i]!.length > 0 && !ended) buses[role].publish(hits[i]!);
			}
		};
		const look = () => {
			reading ??= readAll()
				.catch((cause) => log.error('The log could not be followed', { cause }))
				.finally(() => {
					reading = null;
					if (due && !ended) look();
				});
		};
		const unsubscribe = follower.subscribe(() => {
			due = true;
			look();
		});
		stop = () => {
			ended = true;
			unsubscribe();
			void Promise.resolve(reading).then(() => tail.close());
		};
	}

	return {
		subscribe(viewer, listener) {
			const unsubscribe = buses[viewer].subscribe(listener);
			if (viewers.admin + viewers.superadmin === 0) start();
			viewers[viewer]++;
			let gone = false;
			return () => {
				if (gone) return;
				gone = true;
				unsubscribe();
				viewers[viewer]--;
				if (viewers.admin + viewers.superadmin > 0) return;
				stop?.();
				stop = null;
			};
		},
		close() {
			stop?.();
			stop = null;
		}
	};
}

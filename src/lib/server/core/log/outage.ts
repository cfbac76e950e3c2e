import { diskTrouble } from '../files/index.ts';

/** Repeated writes that now fail: reports when that begins and when it is over, not each time. */
export interface Outage {
	failed(cause: unknown, facts?: object): void;
	worked(): void;
	/** Null while all is well. */
	readonly now: { lost: number; why: string } | null;
}

type Tell = {
	begins: (facts: { cause: unknown }) => void;
	ends: (facts: { lost: number }) => void;
};

export function createOutage({ begins, ends }: Tell): Outage {
	let now: Outage['now'] = null;
	return {
		failed(cause, facts = {}) {
			if (!now) begins({ ...facts, cause });
			now = { lost: (now?.lost ?? 0) + 1, why: diskTrouble(cause) };
		},
		worked() {
			if (now) ends({ lost: now.lost });
			now = null;
		},
		get now() {
			return now;
		}
	};
}

import { untrack } from 'svelte';
import type { LogPage } from '$lib/schemas/log';
import { getQueries } from '../queries.svelte.ts';
import { LOG_TAIL } from '../sources.ts';
import type { LogFeed } from './log-feed.svelte.ts';

const KEY = ['logs', 'tail'];

type Following = {
	/** Whether it is followed now. */
	when: () => boolean;
	/** Called when more was written at once than a page holds: these are the newest entries. */
	missed: (newest: LogPage) => void;
};

/** Adds to the feed what is written into the current log. Called while a component is set up. */
export function followLog(feed: LogFeed, { when, missed }: Following) {
	const queries = getQueries();
	const following = $derived(when());
	$effect(() => {
		if (!following) return;
		// What was heard on an earlier visit is not news.
		queries.merge(KEY, () => undefined);
		const end = queries.define(KEY, LOG_TAIL);
		if (!untrack(() => feed.entries.length)) void queries.refetch(KEY);
		return end;
	});
	$effect(() => {
		const heard = queries.read<LogPage>(KEY);
		if (!heard || !untrack(() => following)) return;
		untrack(() => {
			if (!feed.hear(heard.entries)) missed(heard);
		});
	});
	return {
		/** Why new lines cannot be read, in words. */
		get trouble() {
			return following ? queries.error(KEY) : null;
		},
		/** The newest page that was heard; undefined before the first. */
		get heard() {
			return queries.read<LogPage>(KEY);
		}
	};
}

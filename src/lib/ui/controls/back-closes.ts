import { beforeNavigate, goto, pushState } from '$app/navigation';
import { tick, untrack } from 'svelte';

/** What lies over the page, the topmost last, each with its entry in the history while it has one. */
const layers: { close: () => void; entry: string | null }[] = [];
/** An entry that is being taken out of the history, and who is told when it is gone. */
let leaving: { gone: Promise<void>; tell: () => void } | null = null;
let listening = false;
/** No press waits longer than this. */
const LATE_MS = 1000;

/**
 * What tells the current entry from every other. Not the router's state: an effect that is torn down reads the one from
 * before.
 */
const currentEntry = () => JSON.stringify(history.state);

export type Layer = {
	/** Its entry is taken out of the history, unless Back has done so. Resolves when it is gone. */
	closed: () => Promise<void>;
	/** A form leaves the page: the entry stays behind. */
	left: () => void;
};

/** What has just been opened over the page has an entry in the history, so that Back closes it and nothing below it. */
export function backCloses(close: () => void): Layer {
	if (!listening) addEventListener('popstate', onpopstate);
	listening = true;
	const layer: (typeof layers)[number] = { close, entry: null };
	layers.push(layer);
	const enter = () => {
		if (!layers.includes(layer)) return;
		// The router reads its own state there, of which no effect depends.
		untrack(() => pushState('', { over: layers.length }));
		layer.entry = currentEntry();
	};
	if (leaving) void leaving.gone.then(enter);
	else enter();
	return {
		async closed() {
			const at = layers.indexOf(layer);
			if (at >= 0) layers.splice(at, 1);
			// A page that has come since has an entry of its own, which is not to be left.
			const isOnTop = layer.entry === currentEntry();
			layer.entry = null;
			// One that is still going would go back from wherever somebody goes now.
			await (isOnTop ? leave() : leaving?.gone);
		},
		left: () => void (layer.entry = null)
	};
}

/**
 * Resolves when what has just been closed is out of the history. The router gives up the reload or the navigation that
 * is under way then.
 */
export async function historySettled(): Promise<void> {
	await tick();
	await leaving?.gone;
}

/** A link that is pressed right after something was closed would be given up for that. Call while the root layout is set up. */
export function holdLinksUntilSettled(): void {
	beforeNavigate(({ type, to, willUnload, cancel }) => {
		if (!leaving || !to || willUnload || (type !== 'link' && type !== 'form')) return;
		cancel();
		const late = new Promise((resolve) => setTimeout(resolve, LATE_MS));
		void Promise.race([leaving.gone, late]).then(() => goto(to.url));
	});
}

/** Where a press leads to when it is one on a link that opens in this window. */
export function linkPressed(event: MouseEvent): string | null {
	const link = (event.target as Element).closest('a');
	const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
	return link && !event.defaultPrevented && !elsewhere ? link.href : null;
}

function leave(): Promise<void> {
	let tell = () => {};
	const gone = new Promise<void>((resolve) => (tell = resolve));
	leaving = { gone, tell };
	history.back();
	return gone;
}

function onpopstate({ state }: PopStateEvent) {
	// The router's way of going to a fragment of the page that has just come; all entries that Back leads to have a state.
	if (state === null) return;
	if (leaving) {
		const { tell } = leaving;
		// The router may learn of the same event after this.
		return void setTimeout(() => {
			leaving = null;
			tell();
		});
	}
	const top = layers.pop();
	if (!top) return;
	top.entry = null;
	top.close();
}

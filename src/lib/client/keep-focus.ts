import { afterNavigate, beforeNavigate } from '$app/navigation';
import { navigating } from '$app/state';
import type { Attachment } from 'svelte/attachments';

const ROW = 'li, tr';
const REACHABLE = ':is(a[href], button, input, select, textarea):not(:disabled, [type="hidden"])';

const isLost = () => document.activeElement === null || document.activeElement === document.body;

/** As a row is that has got another place in its list. */
const isPutIn = (changes: MutationRecord[], element: Element) =>
	changes.some(({ addedNodes }) => [...addedNodes].some((node) => node.contains(element)));

/** Where a page begins, for somebody who has nowhere else to be. */
function focusHeading(page: ParentNode) {
	const heading = page.querySelector<HTMLElement>('h1');
	if (!heading) return;
	heading.tabIndex = -1;
	heading.focus({ preventScroll: true });
}

/**
 * Keeps those who work by keyboard where they are. When what has the focus disappears, as a row does that was acted
 * on, the focus goes to the rest of its row, to the next row, or to the page's heading; what only moves keeps it.
 * Whoever comes back from where a link has led, such as a form, finds the focus on that link again. Call while the
 * layout is set up, and attach what it returns to `main`.
 */
export function keepFocus(): Attachment<HTMLElement> {
	/** By page: the link pressed there, and where it has led. */
	const pressed = new Map<string, { link: string; to: string }>();
	beforeNavigate(({ type, from, to }) => {
		if (type !== 'link' || !from || !to) return;
		const link = document.activeElement?.closest('main a')?.getAttribute('href');
		if (link) pressed.set(from.url.href, { link, to: to.url.href });
	});
	afterNavigate(({ from, to }) => {
		const before = to && pressed.get(to.url.href);
		if (!before || before.to !== from?.url.href || !isLost()) return;
		pressed.delete(to.url.href);
		const link = document.querySelector<HTMLElement>(`main a[href="${CSS.escape(before.link)}"]`);
		if (link) link.focus({ preventScroll: true });
		else focusHeading(document);
	});

	return (main) => {
		let last: {
			element: Element;
			row: Element | null;
			list: Element | null;
			place: number;
		} | null = null;
		const end = new AbortController();
		const { signal } = end;
		main.addEventListener(
			'focusin',
			({ target }) => {
				const element = target as Element;
				// A dialog gives it back to what opened it.
				if (element.closest('dialog')) return;
				const row = element.closest(ROW);
				const list = row?.parentElement ?? null;
				last = { element, row, list, place: row && list ? [...list.children].indexOf(row) : 0 };
			},
			{ signal }
		);
		// A press beside everything gives it away.
		document.addEventListener('pointerdown', () => (last = null), { signal, capture: true });

		const observer = new MutationObserver((changes) => {
			if (!last || !isLost()) return;
			const { element, row, list, place } = last;
			if (element.isConnected) {
				if (isPutIn(changes, element)) (element as HTMLElement).focus();
				return;
			}
			last = null;
			// Where one goes from here is for the navigation to say.
			if (navigating.to) return;
			const rows = list?.isConnected ? [...list.children] : [];
			const here = row?.isConnected ? row : rows[Math.min(place, rows.length - 1)];
			const next = here?.querySelector<HTMLElement>(REACHABLE);
			if (next) next.focus();
			else focusHeading(main);
		});
		observer.observe(main, { childList: true, subtree: true });
		return () => {
			end.abort();
			observer.disconnect();
		};
	};
}

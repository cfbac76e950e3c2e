import type { Attachment } from 'svelte/attachments';

/** Shares of the width, from 0 to 1. */
export type Span = { from: number; to: number };
type Handlers = {
	/** Where the crosshair is; null when a mouse has left. */
	onpoint: (at: number | null) => void;
	/** The range being chosen; null when there is none. */
	onselect: (span: Span | null) => void;
	/** The range to show; beyond 0 and 1 when fingers have moved together. */
	onzoom: (span: Span) => void;
};

/** A finger that moves further than this scrolls the page, or begins to drag. */
const STILL_PX = 8;
const HOLD_MS = 350;
/** A shorter drag is an unsteady click. */
const DRAG_MIN_PX = 6;
const SPAN_MIN = 0.005;

type Finger = { start: number; startY: number; x: number };

/**
 * A mouse points by hovering and zooms by dragging. A finger points by tapping, moves the crosshair after a long press or
 * when it begins sideways, and otherwise scrolls the page; two fingers zoom.
 */
export const gestures =
	(handlers: Handlers): Attachment<HTMLElement> =>
	(element) => {
		const end = new AbortController();
		const { signal } = end;
		const fingers = new Map<number, Finger>();
		let drag: { id: number; from: number } | null = null;
		let holding = false;
		let holdTimer: ReturnType<typeof setTimeout> | undefined;

		const share = (clientX: number) => {
			const { left, width } = element.getBoundingClientRect();
			return Math.min(1, Math.max(0, (clientX - left) / width));
		};
		const sorted = (a: number, b: number): Span => ({ from: Math.min(a, b), to: Math.max(a, b) });
		const reset = () => {
			clearTimeout(holdTimer);
			fingers.clear();
			drag = null;
			holding = false;
			handlers.onselect(null);
		};

		function touchDown({ pointerId, clientX, clientY }: PointerEvent) {
			clearTimeout(holdTimer);
			fingers.set(pointerId, { start: clientX, startY: clientY, x: clientX });
			if (fingers.size > 1) return;
			holdTimer = setTimeout(() => {
				holding = true;
				handlers.onpoint(share(clientX));
			}, HOLD_MS);
		}
		function touchMove({ pointerId, clientX, clientY }: PointerEvent) {
			const finger = fingers.get(pointerId);
			if (!finger) return;
			finger.x = clientX;
			const aside = Math.abs(clientX - finger.start);
			const along = Math.abs(clientY - finger.startY);
			if (Math.max(aside, along) > STILL_PX) clearTimeout(holdTimer);
			if (aside > STILL_PX && aside > along) holding = true;
			if (fingers.size === 2) {
				const { from, to } = pinched();
				if (from >= 0 && to <= 1) handlers.onselect({ from, to });
			} else if (holding) handlers.onpoint(share(clientX));
		}
		/** What was under the two fingers at first must still be under them. */
		function pinched(): Span {
			const [a, b] = [...fingers.values()].sort((a, b) => a.start - b.start) as [Finger, Finger];
			const [u, v] = [share(a.start), share(b.start)];
			const [x, y] = [share(a.x), share(b.x)];
			const scale = Math.min(20, Math.max(0.05, (v - u) / Math.max(0.01, y - x)));
			const from = (u + v) / 2 - ((x + y) / 2) * scale;
			return { from, to: from + scale };
		}
		function touchUp({ pointerId, clientX }: PointerEvent) {
			clearTimeout(holdTimer);
			const finger = fingers.get(pointerId);
			if (!finger) return;
			if (fingers.size === 2) {
				handlers.onzoom(pinched());
				return reset();
			}
			const still = Math.abs(clientX - finger.start) <= STILL_PX;
			if (!holding && still) handlers.onpoint(share(clientX));
			reset();
		}

		const on = <K extends keyof HTMLElementEventMap>(
			type: K,
			run: (event: HTMLElementEventMap[K]) => void,
			passive = true
		) => element.addEventListener(type, run, { signal, passive });
		const isTouch = ({ pointerType }: PointerEvent) => pointerType === 'touch';

		on('pointerdown', (event) => {
			if (isTouch(event)) return touchDown(event);
			if (event.button !== 0) return;
			element.setPointerCapture(event.pointerId);
			drag = { id: event.pointerId, from: event.clientX };
		});
		on('pointermove', (event) => {
			if (isTouch(event)) return touchMove(event);
			handlers.onpoint(share(event.clientX));
			if (drag && Math.abs(event.clientX - drag.from) >= DRAG_MIN_PX)
				handlers.onselect(sorted(share(drag.from), share(event.clientX)));
		});
		on('pointerup', (event) => {
			if (isTouch(event)) return touchUp(event);
			const begun = drag;
			reset();
			if (!begun || Math.abs(event.clientX - begun.from) < DRAG_MIN_PX) return;
			const span = sorted(share(begun.from), share(event.clientX));
			if (span.to - span.from >= SPAN_MIN) handlers.onzoom(span);
		});
		on('pointercancel', reset);
		on('pointerleave', (event) => {
			if (!isTouch(event) && !drag) handlers.onpoint(null);
		});
		// Held: the finger moves the crosshair, not the page, and no context menu opens.
		const own = (event: Event) => {
			if (holding || fingers.size > 1) event.preventDefault();
		};
		on('touchmove', own, false);
		on('contextmenu', (event) => fingers.size > 0 && event.preventDefault(), false);

		return () => {
			end.abort();
			clearTimeout(holdTimer);
		};
	};

import { untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import type { Person } from '$lib/game/players/player-lists';
import { staying } from './staying';

const LOOKS_MS = 500;
/** Between two taps of one finger. */
const TOUCHED_MS = 5000;

/**
 * The rows of the list: `people`, and, where it is known who plays, for a while those who have just left. Made while a
 * component is.
 */
export class PlayerRows {
	all = $state.raw<Person[]>([]);
	#list: HTMLElement | null = null;
	#touchedAt = -Infinity;

	constructor(people: () => Person[], isKnown: () => boolean) {
		this.all = untrack(people);
		// What an earlier visit of the page left behind is no reason to say that somebody has left.
		let isFresh = true;
		const look = () => {
			const isWhole = isFresh || !isKnown();
			isFresh = false;
			this.all = isWhole ? people() : staying(this.all, people(), Date.now(), this.#isHeld());
		};
		$effect.pre(() => {
			people();
			isKnown();
			untrack(look);
		});
		const isWaiting = $derived(this.all.some(({ leftAt }) => leftAt !== undefined));
		$effect(() => {
			if (!isWaiting) return;
			const timer = setInterval(look, LOOKS_MS);
			return () => clearInterval(timer);
		});
	}

	/** Attached to the list in the page. */
	readonly shown: Attachment<HTMLElement> = (list) => {
		const touch = ({ pointerType }: PointerEvent) => {
			if (pointerType === 'touch') this.#touchedAt = Date.now();
		};
		this.#list = list;
		list.addEventListener('pointerdown', touch);
		return () => {
			this.#list = null;
			list.removeEventListener('pointerdown', touch);
		};
	};

	/** Somebody is about to press something in it, or asked about somebody in it. */
	#isHeld(): boolean {
		if (document.querySelector(':active, :modal')) return true;
		if (Date.now() - this.#touchedAt < TOUCHED_MS) return true;
		// What a finger has touched counts as hovered until it touches something else.
		const pointed = matchMedia('(hover: hover)').matches
			? ':hover, :focus-within'
			: ':focus-within';
		return !!this.#list?.matches(pointed);
	}
}

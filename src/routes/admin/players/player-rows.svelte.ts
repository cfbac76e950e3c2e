import { untrack } from 'svelte';
import type { Person } from '$lib/game/players/player-lists';
import { staying } from './staying';

const LOOKS_MS = 500;

/** A pointer or a finger is down, or a dialog is open. */
const isHeld = () => document.querySelector(':active, :modal') !== null;

/** The rows of the list: `people`, and for a moment those who have just left. Made while a component is. */
export class PlayerRows {
	all = $state.raw<Person[]>([]);

	constructor(people: () => Person[]) {
		this.all = untrack(people);
		const look = () => (this.all = staying(this.all, people(), Date.now(), isHeld()));
		$effect.pre(() => {
			people();
			untrack(look);
		});
		const isWaiting = $derived(this.all.some(({ leftAt }) => leftAt !== undefined));
		$effect(() => {
			if (!isWaiting) return;
			const timer = setInterval(look, LOOKS_MS);
			return () => clearInterval(timer);
		});
	}
}

/**
 * The positions of a long list's rows, in px. A row counts as the estimate until it was measured; a change costs
 * O(log n), so that 100,000 rows scroll smoothly.
 */
export class RowHeights {
	readonly count: number;
	readonly #heights: Float32Array;
	/** A Fenwick tree over the heights, one-based. */
	readonly #sums: Float64Array;

	constructor(count: number, heightOf: (index: number) => number) {
		this.count = count;
		this.#heights = Float32Array.from({ length: count }, (_, i) => heightOf(i));
		this.#sums = new Float64Array(count + 1);
		for (let i = 1; i <= count; i++) {
			this.#sums[i]! += this.#heights[i - 1]!;
			const parent = i + (i & -i);
			if (parent <= count) this.#sums[parent]! += this.#sums[i]!;
		}
	}

	get total() {
		return this.top(this.count);
	}

	/** The position of the row's upper edge, or of the list's lower edge for `count`. */
	top(index: number): number {
		let sum = 0;
		for (let i = Math.min(index, this.count); i > 0; i -= i & -i) sum += this.#sums[i]!;
		return sum;
	}

	/** Returns false when nothing changed. */
	set(index: number, height: number): boolean {
		const known = this.#heights[index];
		if (known === undefined || Math.abs(known - height) < 0.5) return false;
		this.#heights[index] = height;
		const change = this.#heights[index]! - known;
		for (let i = index + 1; i <= this.count; i += i & -i) this.#sums[i]! += change;
		return true;
	}

	/** The row at this distance from the list's upper edge; the first or last beyond the edges, -1 in an empty list. */
	at(y: number): number {
		let index = 0;
		let rest = Math.max(0, y);
		for (let step = 1 << Math.floor(Math.log2(this.count || 1)); step > 0; step >>= 1) {
			const next = index + step;
			if (next > this.count || this.#sums[next]! > rest) continue;
			index = next;
			rest -= this.#sums[next]!;
		}
		return Math.min(index, this.count - 1);
	}
}

/** Suspects that can only be enabled together. */
export type Group = {
	files: string[];
	/** Groups that must be enabled with it, directly or through others; each comes before it in the list. */
	needs: Group[];
};

/**
 * The result of a boot with exactly these groups enabled. `bad` is the failure that the search looks for; any other is
 * `indeterminate`: a refusal by the loader, another exception, a boot that was ended from outside.
 */
export type Answer = 'good' | 'bad' | 'indeterminate';
export type Boot = (on: Group[]) => Promise<Answer>;

export type Found =
	/** Together they fail, twice, with nothing else enabled but what they need; each of them is needed for it. */
	| { is: 'culprits'; culprits: Group[] }
	/** The same set gave different results. */
	| { is: 'flaky'; on: Group[] }
	/** Neither half decides, or what was found does not fail by itself: the culprit is somewhere in these. */
	| { is: 'unclear'; suspects: Group[][] };

/**
 * Finds the fewest groups that fail together, where all of them fail and none of them is good. One culprit among n
 * independent groups takes at most ⌈log2 n⌉ + 2 boots, a pair 2·⌈log2 n⌉ + 4.
 *
 * It halves the suspects. A half that fails is searched further. A half that is good is set aside, enabled, and
 * the other half is searched with it: so a conflict between the two halves is not lost. The last suspect is a
 * culprit. If the culprits found so far fail by themselves, that is all; otherwise another one is among those that
 * were set aside. `seen`: what is known to fail already, the whole set at least.
 */
export async function findCulprits(groups: Group[], boot: Boot, seen: Group[][]): Promise<Found> {
	const answers = createAnswers(boot, seen);
	const culprits: Group[] = [];
	let suspects = groups;
	for (;;) {
		const narrowed = await narrow(closed(culprits), suspects, answers);
		if ('is' in narrowed) return narrowed;
		culprits.push(narrowed.culprit);
		const alone = closed(culprits);
		const answer = await answers.test(alone);
		if (answers.differ(alone)) return { is: 'flaky', on: alone };
		if (answer === 'bad') return confirm(culprits, answers);
		suspects = narrowed.aside.filter((group) => !alone.includes(group));
		// Nothing else was enabled when it failed: it is not the same failure by itself.
		if (suspects.length === 0) return { is: 'unclear', suspects: [alone] };
	}
}

/**
 * The deciding boots are made twice: that of the culprits, unless it was seen to fail before, and the one that showed
 * that one more of them was needed.
 */
async function confirm(culprits: Group[], answers: Answers): Promise<Found> {
	const deciding = [closed(culprits), closed(culprits.slice(0, -1))].filter(
		({ length }) => length > 0
	);
	for (const on of deciding) {
		if (answers.count(on) < 2) await answers.test(on);
		if (answers.differ(on)) return { is: 'flaky', on };
	}
	return { is: 'culprits', culprits };
}

type Narrowed = { culprit: Group; aside: Group[] };

/**
 * One culprit among the suspects. `on` together with all suspects was seen to fail, and stays so throughout: `on` only
 * grows by what leaves the suspects, or a smaller set was just seen to fail.
 */
async function narrow(
	fixed: Group[],
	all: Group[],
	answers: Answers
): Promise<Narrowed | Exclude<Found, { is: 'culprits' }>> {
	let on = fixed;
	let suspects = all;
	const setAside = (half: Group[]) => {
		on = union(on, half);
		suspects = suspects.filter((group) => !on.includes(group));
	};
	/** The second half is only asked where the first does not tell. Null: neither does. */
	const ask = async (first: Group[], second: Group[]) => {
		// What a group needs stands before it: the first half is complete by itself.
		const other = closed(second).filter((group) => !on.includes(group));
		for (const half of [first, other]) {
			if (half.length === suspects.length) continue;
			const answer = await answers.test(union(on, half));
			if (answer !== 'indeterminate') return { half, answer };
		}
		return null;
	};
	while (suspects.length > 1) {
		const middle = Math.ceil(suspects.length / 2);
		const [first, second] = [suspects.slice(0, middle), suspects.slice(middle)];
		const told = await ask(first, second);
		if (!told) return { is: 'unclear', suspects: [first, second] };
		if (told.answer === 'bad') suspects = suspects.filter((group) => told.half.includes(group));
		else setAside(told.half);
	}
	const [culprit] = suspects;
	return culprit ? { culprit, aside: on } : { is: 'flaky', on };
}

const union = (a: Group[], b: Group[]) => [...new Set([...a, ...b])];

/** With everything that they need. */
export const closed = (groups: Group[]) => [
	...new Set(groups.flatMap((group) => [...group.needs, group]))
];

type Answers = ReturnType<typeof createAnswers>;

/** Every result so far, by set. */
function createAnswers(boot: Boot, seen: Group[][]) {
	const all = new Map<string, Answer[]>();
	const keyOf = (on: Group[]) =>
		on
			.flatMap(({ files }) => files)
			.sort()
			.join('\n');
	const of = (on: Group[]) => all.get(keyOf(on)) ?? [];
	for (const on of seen) all.set(keyOf(on), ['bad']);
	return {
		async test(on: Group[]): Promise<Answer> {
			const answer = await boot(on);
			all.set(keyOf(on), [...of(on), answer]);
			return answer;
		},
		count: (on: Group[]) => of(on).length,
		differ: (on: Group[]) => new Set(of(on)).size > 1
	};
}

/** The most boots that it takes for one culprit, and for a pair that fails only together. */
export const mostBoots = (groups: number) => {
	const halvings = Math.ceil(Math.log2(Math.max(1, groups)));
	return { one: halvings + 2, pair: 2 * halvings + 4 };
};

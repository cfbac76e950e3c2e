import type { Group } from './search.ts';

/** Checks a set of jars by their metadata: what is wrong with it, one text per problem. */
export type Look = (on: string[]) => Set<string>;

/**
 * Groups of suspects that can be enabled one after the other: dependencies come before their dependents, and
 * those that need each other are one group. `look` says what is wrong while only some of them are enabled.
 */
export function groupsOf(suspects: string[], look: Look): Group[] {
	const needs = needsOf(suspects, look);
	const reach = new Map(suspects.map((one) => [one, reachable(one, needs)]));
	const groups = new Map<string, Group>();
	// A dependency reaches fewer others than its dependents.
	const order = suspects.toSorted((a, b) => reach.get(a)!.size - reach.get(b)!.size);
	for (const one of order) {
		if (groups.has(one)) continue;
		const files = order.filter((other) => reach.get(one)!.has(other) && reach.get(other)!.has(one));
		const others = [...reach.get(one)!].filter((other) => !files.includes(other));
		const group: Group = { files, needs: [...new Set(others.map((other) => groups.get(other)!))] };
		for (const file of files) groups.set(file, group);
	}
	return [...new Set(order.map((one) => groups.get(one)!))];
}

/** One needs another when that removes a problem that it has without it, and would not have with all of them. */
function needsOf(suspects: string[], look: Look): Map<string, string[]> {
	const excused = new Set([...look([]), ...look(suspects)]);
	const open = (on: string[]) => [...look(on)].filter((problem) => !excused.has(problem));
	return new Map(
		suspects.map((one) => {
			const problems = open([one]);
			const helps = (other: string) => {
				const left = open([one, other]);
				return problems.some((problem) => !left.includes(problem));
			};
			return [
				one,
				problems.length ? suspects.filter((other) => other !== one && helps(other)) : []
			];
		})
	);
}

/** Itself included. */
function reachable(from: string, needs: Map<string, string[]>): Set<string> {
	const seen = new Set([from]);
	for (const one of seen) for (const other of needs.get(one) ?? []) seen.add(other);
	return seen;
}

import { describe, expect, test } from 'vitest';
import { findCulprits, mostBoots, type Answer, type Group } from './search.ts';

const independent = (count: number): Group[] =>
	Array.from({ length: count }, (_, i) => ({ files: [`m${i}`], needs: [] }));
const names = (groups: Group[]) => groups.flatMap(({ files }) => files).sort();

/** A server that fails in one way when all of `together` are enabled; `odd` says what else happens. */
async function search(
	groups: Group[],
	together: string[],
	odd: (on: Set<string>, boots: number) => Answer | null = () => null
) {
	let boots = 0;
	const found = await findCulprits(
		groups,
		async (on) => {
			boots++;
			const files = new Set(names(on));
			return odd(files, boots) ?? (together.every((one) => files.has(one)) ? 'bad' : 'good');
		},
		[groups]
	);
	return { found, boots };
}

function randomPick(count: number, of: number, seed: number): string[] {
	const picked = new Set<number>();
	for (let x = seed + 1; picked.size < count;) {
		x = (x * 1_103_515_245 + 12_345) % 2 ** 31;
		picked.add(Math.floor((x / 2 ** 31) * of));
	}
	return [...picked].map((i) => `m${i}`).sort();
}

describe.each([1, 2, 3, 8, 20, 60, 200])('among %i', (count) => {
	const groups = independent(count);
	const most = mostBoots(count);

	test('one culprit, wherever it is, within the limit', async () => {
		for (let i = 0; i < count; i++) {
			const { found, boots } = await search(groups, [`m${i}`]);
			expect(found).toMatchObject({ is: 'culprits' });
			expect(found.is === 'culprits' && names(found.culprits)).toEqual([`m${i}`]);
			expect(boots).toBeLessThanOrEqual(most.one);
		}
	});

	test.runIf(count > 1)('two that fail only together, within the limit', async () => {
		for (let seed = 0; seed < 300; seed++) {
			const pair = randomPick(2, count, seed);
			const { found, boots } = await search(groups, pair);
			expect(found.is === 'culprits' && names(found.culprits)).toEqual(pair);
			expect(boots).toBeLessThanOrEqual(most.pair);
		}
	});

	test.runIf(count > 2)('three that fail only together', async () => {
		for (let seed = 0; seed < 50; seed++) {
			const three = randomPick(3, count, seed);
			const { found } = await search(groups, three);
			expect(found.is === 'culprits' && names(found.culprits)).toEqual(three);
		}
	});
});

test('a second, different failure is not mistaken for the first', async () => {
	const other = (on: Set<string>): Answer | null =>
		on.has('m40') && !on.has('m3') ? 'indeterminate' : null;
	const { found } = await search(independent(60), ['m3'], other);
	expect(found.is === 'culprits' && names(found.culprits)).toEqual(['m3']);
});

test.each([8, 60, 200])(
	'an undeclared dependency does not blame anyone else (%i)',
	async (count) => {
		for (let seed = 0; seed < 200; seed++) {
			const [user, library, culprit] = randomPick(3, count, seed).sort(() => (seed % 2 ? 1 : -1));
			const { found } = await search(independent(count), [culprit!], (on) =>
				on.has(user!) && !on.has(library!) ? 'indeterminate' : null
			);
			if (found.is === 'culprits') expect(names(found.culprits)).toEqual([culprit]);
			else expect(names(found.is === 'unclear' ? found.suspects.flat() : [])).toContain(culprit);
		}
	}
);

test('a mod is never enabled without what it needs, and its library is not blamed for it', async () => {
	const library: Group = { files: ['library'], needs: [] };
	const users: Group[] = ['a', 'b', 'c', 'd'].map((file) => ({ files: [file], needs: [library] }));
	const { found } = await search([library, ...users], ['c'], (on) =>
		[...on].some((file) => file !== 'library') && !on.has('library') ? 'indeterminate' : null
	);
	expect(found.is === 'culprits' && names(found.culprits)).toEqual(['c']);
});

test('inseparable mods are blamed as one', async () => {
	const groups: Group[] = [
		{ files: ['a', 'b'], needs: [] },
		{ files: ['c'], needs: [] }
	];
	const { found } = await search(groups, ['b']);
	expect(found.is === 'culprits' && names(found.culprits)).toEqual(['a', 'b']);
});

test('two different results for one set end it, and nobody is blamed', async () => {
	for (let culprit = 0; culprit < 8; culprit++) {
		let alone = 0;
		const { found } = await search(independent(8), [`m${culprit}`], (on) =>
			on.size === 1 && on.has(`m${culprit}`) ? (alone++ % 2 ? 'good' : 'bad') : null
		);
		expect(found.is).toBe('flaky');
	}
});

test('a boot that fails intermittently never ends with a false proof', async () => {
	for (let seed = 0; seed < 300; seed++) {
		let x = seed * 7919 + 1;
		const { found, boots } = await search(independent(20), ['m5'], (on) => {
			x = (x * 1_103_515_245 + 12_345) % 2 ** 31;
			return on.has('m5') && x / 2 ** 31 < 0.4 ? 'good' : null;
		});
		if (found.is === 'culprits') expect(names(found.culprits)).toContain('m5');
		expect(boots).toBeLessThan(200);
	}
});

test('when both halves fail, both are shown', async () => {
	const { found } = await search(independent(8), ['m1'], (on) =>
		on.size < 8 ? 'indeterminate' : null
	);
	expect(found).toMatchObject({ is: 'unclear' });
	expect(found.is === 'unclear' && found.suspects.map((half) => half.length)).toEqual([4, 4]);
});

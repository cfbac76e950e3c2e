import { expect, test } from 'vitest';
import { withTitles } from './mod-titles.ts';

test('ids and jar names that stand as whole words in a text become the titles of the mods', () => {
	const titles = { 'way.marks-1.0+1.21.jar': 'Waymarks', lithium: 'Lithium $1' };
	expect(withTitles('Update way.marks-1.0+1.21.jar and lithium, or remove it.', titles)).toBe(
		'Update Waymarks and Lithium $1, or remove it.'
	);
	expect(withTitles('The mod lithium.', titles)).toBe('The mod Lithium $1.');
	expect(withTitles('The mod Lithium $1 (lithium) failed: waymarks-1x0+1y21.jar', titles)).toBe(
		'The mod Lithium $1 failed: waymarks-1x0+1y21.jar'
	);
	const fabric =
		"Mod 'Lithium $1' (lithium) 0.12 needs 'Waymarks' (Waymarks), and isn't 'Lithium $1'.";
	expect(withTitles(fabric, titles)).toBe(
		"Mod Lithium $1 0.12 needs Waymarks, and isn't 'Lithium $1'."
	);
	const plus = { lantern: 'the lantern keeper' };
	const once = withTitles('It is lantern.', plus);
	expect(withTitles(once, plus)).toBe('It is the lantern keeper.');
	for (const same of ['lithium-fabric-1.jar', 'me.lithium', 'lithium.mixins', 'xlithium'])
		expect(withTitles(same, titles)).toBe(same);
});

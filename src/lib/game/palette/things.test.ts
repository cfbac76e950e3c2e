import { expect, test } from 'vitest';
import { players } from './things.ts';

test('who plays is listed in the order of their names, numbers by their size', () => {
	const online = [18, 9, 3].map((i) => ({ name: `Wanderer_${i}`, uuid: `${i}` }));
	const labels = players({ online: online as never }, true).map(({ label }) => label);
	expect(labels).toEqual(['Wanderer_3', 'Wanderer_9', 'Wanderer_18']);
});

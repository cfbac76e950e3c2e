import { expect, test } from 'vitest';
import { outline } from './vite-icons.ts';

test.each([
	['path', { d: 'M16 3.1a4 4 0 0 1 0 7.7' }, 'M16 3.1a4 4 0 0 1 0 7.7'],
	['path', { d: 'm6 9 6 6 6-6' }, 'M6 9l6 6 6-6'],
	['path', { d: 'm16-17-5 5' }, 'M16 -17l-5 5'],
	['path', { d: 'm4.9.5v2' }, 'M4.9 .5v2'],
	['path', { d: 'm12 3' }, 'M12 3'],
	['line', { x1: '1', y1: '2', x2: '3', y2: '4' }, 'M1 2L3 4'],
	['polyline', { points: '1 2 3,4' }, 'M1 2 3 4'],
	['polygon', { points: '1 2 3 4' }, 'M1 2 3 4z'],
	['circle', { cx: '9', cy: '7', r: '4' }, 'M5 7a4 4 0 0 1 8 0a4 4 0 0 1 -8 0z'],
	['ellipse', { cx: '9', cy: '7', rx: '4', ry: '2' }, 'M5 7a4 2 0 0 1 8 0a4 2 0 0 1 -8 0z'],
	['rect', { x: '1', y: '2', width: '6', height: '4' }, 'M1 2h6v4h-6v-4z'],
	[
		'rect',
		{ x: '1', y: '2', width: '6', height: '4', rx: '1' },
		'M2 2h4a1 1 0 0 1 1 1v2a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-2a1 1 0 0 1 1 -1z'
	]
])('a %s of %o is drawn somewhere in one path', (tag, attributes, d) => {
	expect(outline([tag, attributes as Record<string, string>])).toBe(d);
});

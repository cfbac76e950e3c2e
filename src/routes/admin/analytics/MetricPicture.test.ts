import { expect, test } from 'vitest';
import { render } from 'svelte/server';
import MetricPicture from './MetricPicture.svelte';
import type { Point } from './metrics';

const FROM = Date.parse('2026-03-01T00:00:00.000Z');
const HOUR_MS = 3_600_000;
const at = (share: number, mean: number | null): Point => ({
	...{ t: new Date(FROM + share * HOUR_MS), mean },
	...{ min: mean, max: mean === null ? null : mean * 2 }
});
const drawn = (points: Point[]) =>
	render(MetricPicture, {
		props: {
			...{ points, from: FROM, to: FROM + HOUR_MS, top: 132, marks: [0, 66] },
			...{ flags: [{ at: FROM + HOUR_MS / 4, kind: 'crash', events: [] }] },
			...{ references: [{ at: 99, label: 'All of it' }], label: 'RAM' }
		}
	}).body;
const pathsOf = (svg: string) => [...svg.matchAll(/ d="([^"]*)"/g)].map(([, d]) => d);

test('a line is broken by a gap, and a lone value is a dot, drawn once more where it can be seen', () => {
	const svg = drawn([at(0.1, 32), at(0.2, 66), at(0.3, null), at(0.5, 22), at(0.6, null)]);
	expect(pathsOf(svg)).toEqual([
		'M100,68L200,0L200,66L100,100ZM500,88L500,110Z',
		'M100,100L200,66M500,110Z',
		'M500,110Z'
	]);
	expect(pathsOf(drawn([at(0.1, 32), at(0.2, 66)]))).toHaveLength(2);
});

test('the grid, events and reference values are lines', () => {
	const lines = [...drawn([]).matchAll(/<line [^>]*x1="(.+?)" y1="(.+?)" x2="(.+?)" y2="(.+?)"/g)];
	expect(lines.map(([, ...ends]) => ends.join(' '))).toEqual([
		...['0 132 1000 132', '0 66 1000 66', '250 132 250 0', '0 33 1000 33']
	]);
});

test('coordinates are no finer than can be seen, and the points appear nowhere else in the page', () => {
	const svg = drawn([at(1 / 3, 100 / 3), at(2 / 3, 200 / 3)]);
	expect(pathsOf(svg)[1]).toBe('M333.3,98.7L666.7,65.3');
	expect(svg).not.toContain('[object');
});

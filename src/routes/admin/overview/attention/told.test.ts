import { expect, test } from 'vitest';
import type { AttentionReport } from '$lib/schemas/overview/attention';
import { firstTold, nextTold } from './told.ts';

const report = (pending: boolean, ...keys: string[]) =>
	({ pending, items: keys.map((key) => ({ key })) }) as AttentionReport;
const whole = report(false, 'updates', 'backup-old');
const partly = report(true, 'backup-old');

test('what was known stands for one answer that is not whole, and not for another', () => {
	const kept = nextTold(partly, firstTold(whole));
	expect(kept).toEqual({ report: whole, isKept: true });
	expect(nextTold(report(false), kept)).toEqual(firstTold(report(false)));
	const late = nextTold(partly, kept);
	expect(late).toEqual(firstTold(partly));
	expect(nextTold(partly, late)).toEqual(firstTold(partly));
});

test('what is new is shown at once, and so is what is whole, however little it is', () => {
	const news = report(true, 'backup-old', 'disk-low');
	expect(nextTold(news, firstTold(whole))).toEqual(firstTold(news));
	expect(nextTold(report(false), firstTold(whole))).toEqual(firstTold(report(false)));
	expect(nextTold(partly, firstTold(report(true)))).toEqual(firstTold(partly));
});

import { describe, expect, test } from 'vitest';
import { compareMaven } from './maven-version.ts';
import { compareVersions, satisfies, type Dialect } from './version-range.ts';

const cases = (
	dialect: Dialect,
	rows: [version: string, range: string, answer: boolean | null][]
) =>
	test.each(rows)(`${dialect}: %s in %s is %s`, (version, range, answer) => {
		expect(satisfies(version, range, dialect)).toBe(answer);
	});

describe('Fabric predicates', () => {
	cases('fabric', [
		['1.20.1', '*', true],
		['1.20.1', '', true],
		['1.20.1', '1.20.1', true],
		['1.20.1', '1.20', false],
		['1.20', '1.20.0', true],
		['1.20.1', '>=1.20', true],
		['1.20.1', '>=1.20 <1.21', true],
		['1.21', '>=1.20 <1.21', false],
		['1.21', '1.20 || 1.21', true],
		['1.22', '1.20 || 1.21', false],
		['1.20.4', '~1.20.1', true],
		['1.21', '~1.20.1', false],
		['1.20.0', '~1.20.1', false],
		['1.21', '^1.20', true],
		['2.0', '^1.20', false],
		['1.20.6', '1.20.x', true],
		['1.21', '1.20.x', false],
		['1.21.3', '1.x', true],
		['1.21.3', '1.X.x', true],
		['1.21', '1.*', true],
		['1.21.1', '1.x.1', false],
		['3.0.14', '3.0.x', true],
		['3.0.14', '<3.0.14', false],
		['1.21-rc.1', '>=1.21', false],
		['1.21-rc.1', '>=1.21-rc.1', true],
		['1.21-beta.2', '>=1.21-', true],
		['26.2-rc.1', '~26.2-', true],
		['26.1.2', '~26.2-', false],
		['1.21.2-beta.1', '>=1.21- <1.21.2-', false],
		['1.21.1', '>=1.21- <1.21.2-', true],
		['1.20-alpha.2', '1.20.x', true],
		['1.0.0-alpha.10', '>1.0.0-alpha.9', true],
		['1.0.0-alpha.b', '>1.0.0-alpha.9', true],
		['1.0.0-alpha', '<1.0.0-alpha.1', true],
		['0.91.1+1.20.1', '>=0.91.0+1.20.4', true],
		['0.5.1-j-build.1631+mc1.20.1', '0.5.1-j-build.1631', true],
		['1.20.1-2.2.5+refabricated', '>=1.20.1-2.2.5+refabricated', true],
		['12.0.0.4', '>=12.0.0.3', true],
		['v1.2', 'v1.2', true],
		['v1.2', '>=v1.2', true],
		['v1.3', '>=v1.2', false],
		['v1.3', '>1.2', false],
		['1.3', '>v1.2', null],
		['1.3', '>=1.x', null],
		['1.3', '>=', null],
		['1.3', '>=${java_version}', null],
		['${version}', '>=1.0', null],
		['', '>=1.0', null],
		['99999999999', '>=1', false],
		['1.21.1', '  >=1.20   <1.22 ', true],
		['1.20.1', '>= 1.20 < 1.21', true],
		['1.20.1', '~ 1.19', false]
	]);
});

describe('Quilt specifiers', () => {
	cases('quilt', [
		['1.4.0', '1.2.0', true],
		['2.0.0', '1.2.0', false],
		['1.4.0', '=1.2.0', false],
		['1.2.0', '=1.2.0', true],
		['1.2.9', '~1.2.0', true],
		['1.3.0', '~1.2.0', false],
		['1.2.9', '1.2.x', true],
		['7.0.2', '>=4.0.0-', true],
		['1.19.2', '>=1.18.1 <1.19.3', true],
		['1.19.2', '=1.5.3 || =1.2.7', false]
	]);
});

describe('Maven ranges', () => {
	cases('maven', [
		['47.2.0', '[47,)', true],
		['46.9', '[47,)', false],
		['1.20.1', '[1.20,1.21)', true],
		['1.21', '[1.20,1.21)', false],
		['1.21', '[1.20, 1.21]', true],
		['1.20', '(1.20,1.21)', false],
		['1.21.1', '[1.21.1]', true],
		['1.21.2', '[1.21.1]', false],
		['1.0', '(,1.0],[1.2,)', true],
		['1.1', '(,1.0],[1.2,)', false],
		['1.3', '(,1.0],[1.2,)', true],
		['15.10.1', '[15.10, )', true],
		['21.1.172', '[21.0.110-beta,)', true],
		['21.0.100-beta', '[21.0.110-beta,)', false],
		['1.0', '5051242', true],
		['1.0', '*', true],
		['1.0', '[1.20)', null],
		['1.0', '[1.0', null],
		['1.0', '[1,2,3]', null],
		['1.0', 'x[1,2]', null],
		['0.0NONE', '[1,)', null],
		['15.20.0.112', '[15.8.0.11,)', true],
		['5.19.7+mc1.20.1', '[5.19.7,)', true],
		['1.0-SNAPSHOT', '[1.0,)', false],
		['4.4.4', '[4.2,)', true]
	]);
});

test('Maven orders versions as its own tests do', () => {
	const words =
		'1-alpha2snapshot 1-alpha2 1-alpha-123 1-beta-2 1-beta123 1-m2 1-m11 1-rc 1-cr2 1-rc123'
			.concat(' 1-SNAPSHOT 1 1-sp 1-sp2 1-sp123 1-abc 1-def 1-pom-1 1-1-snapshot 1-1 1-2 1-123')
			.split(' ');
	for (const [i, later] of words.entries())
		for (const earlier of words.slice(0, i)) {
			expect(compareMaven(earlier, later), `${earlier} < ${later}`).toBeLessThan(0);
			expect(compareMaven(later, earlier), `${later} > ${earlier}`).toBeGreaterThan(0);
		}
	const same =
		'1=1.0 1=1-0 1a=1-a 1a=1.0.0-a 1ga=1 1final=1 1cr=1rc 1a1=1-alpha-1 1m3=1-milestone-3';
	for (const pair of same.split(' ')) {
		const [a, b] = pair.split('=');
		expect(compareMaven(a!, b!), pair).toBe(0);
	}
});

test('newer is newer across all dialects', () => {
	expect(compareVersions('1.10.0', '1.9.9')).toBeGreaterThan(0);
	expect(compareVersions('1.0.0-beta.2', '1.0.0')).toBeLessThan(0);
	expect(compareVersions('mc1.20-3', 'mc1.20-10')).toBeLessThan(0);
	expect(compareVersions('1.0+a', '1.0+b')).toBe(0);
});

test('hostile versions and ranges take no time', () => {
	for (const text of [
		'1.'.repeat(50_000),
		'-'.repeat(50_000),
		'['.repeat(1_999),
		'[1,2],'.repeat(330)
	])
		for (const dialect of ['fabric', 'quilt', 'maven'] as const) {
			satisfies(text, '[1,2)', dialect);
			satisfies('1.0', text, dialect);
			compareVersions(text, '1.0');
		}
});

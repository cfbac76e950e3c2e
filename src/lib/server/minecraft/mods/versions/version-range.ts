import { compareMaven } from './maven-version.ts';
import { compareSemVer, hasWildcard, parseSemVer, type SemVer } from './semver.ts';

/** Whose notation for ranges it is: Forge and NeoForge use Maven's. */
export type Dialect = 'fabric' | 'quilt' | 'maven';

const VERSION_MAX_CHARS = 200;
const RANGE_MAX_CHARS = 2_000;
/** A placeholder left by the build, a cut version, and what Forge writes for a version it does not know. */
const UNKNOWN = /\$\{|…|^0\.0NONE$|^$/;

/** Whether that version is accepted. Null: it cannot be determined, and nobody should be warned. */
export function satisfies(version: string, range: string, dialect: Dialect): boolean | null {
	const [has, wants] = [version.trim(), range.trim()];
	if (wants === '' || wants === '*') return true;
	if (has.length > VERSION_MAX_CHARS || wants.length > RANGE_MAX_CHARS) return null;
	if (UNKNOWN.test(has) || UNKNOWN.test(wants)) return null;
	return dialect === 'maven' ? inMavenRange(has, wants) : inPredicates(has, wants, dialect);
}

/** Which is newer, across all dialects: as semantic versions when both are, else as Maven orders them. */
export function compareVersions(a: string, b: string): number {
	const [left, right] = [parseSemVer(a), parseSemVer(b)];
	if (left && right) return compareSemVer(left, right);
	return compareMaven(a.slice(0, VERSION_MAX_CHARS), b.slice(0, VERSION_MAX_CHARS));
}

/** Alternatives, each of which is a list of terms that apply together. */
function inPredicates(version: string, range: string, dialect: 'fabric' | 'quilt') {
	const parsed = parseSemVer(version);
	const answers = range.split('||').map((alternative) => {
		// `>= 1.2`: an operator belongs to the version after it.
		const terms = alternative
			.replace(/([<>=~^])\s+/g, '$1')
			.split(/\s+/)
			.filter((term) => term !== '' && term !== '*');
		return every(terms.map((term) => holds(version, parsed, term, dialect)));
	});
	return answers.includes(true) ? true : answers.includes(null) ? null : false;
}

const every = (answers: (boolean | null)[]) =>
	answers.includes(false) ? false : answers.includes(null) ? null : true;

type Operator = '>=' | '<=' | '>' | '<' | '=' | '~' | '^';

function holds(version: string, has: SemVer | null, term: string, dialect: 'fabric' | 'quilt') {
	const written = /^(?:>=|<=|[><=~^])/.exec(term)?.[0] as Operator | undefined;
	const wanted = term.slice(written?.length ?? 0);
	const bound = parseSemVer(wanted, true);
	if (wanted === '') return null;
	if (!bound || !has) {
		// Not a semantic version: the loaders compare the text, which has no order.
		if (written === '<' || written === '>') return bound ? false : null;
		return version === wanted;
	}
	if (hasWildcard(bound)) {
		if (written && written !== '=') return null;
		return within(has, { parts: bound.parts.slice(0, -1), prerelease: '' }, bound.parts.length - 1);
	}
	return compareBy(written ?? (dialect === 'quilt' ? '^' : '='), has, bound);
}

function compareBy(operator: Operator, has: SemVer, bound: SemVer): boolean {
	if (operator === '~') return within(has, bound, 2);
	if (operator === '^') return within(has, bound, 1);
	const order = compareSemVer(has, bound);
	if (operator === '>=') return order >= 0;
	if (operator === '<=') return order <= 0;
	if (operator === '>') return order > 0;
	return operator === '<' ? order < 0 : order === 0;
}

/** From that version on, as long as the first parts stay the same. */
const within = (has: SemVer, from: SemVer, same: number) =>
	compareSemVer(has, from) >= 0 &&
	Array.from({ length: same }).every((_, i) => (has.parts[i] ?? 0) === (from.parts[i] ?? 0));

const MAVEN_SET = /^\s*([[(])([^[\]()]*)([\])])\s*(?:,|$)/;

/**
 * `[1.0,2.0)`, several separated by commas. A version without brackets is a recommendation that every version
 * fulfils.
 */
function inMavenRange(version: string, range: string): boolean | null {
	if (!/^[[(]/.test(range)) return /[[\]()]/.test(range) ? null : true;
	let rest = range;
	let found = false;
	while (rest.trim() !== '') {
		const set = MAVEN_SET.exec(rest);
		if (!set) return null;
		const inside = inMavenSet(version, set[1] === '[', set[2]!, set[3] === ']');
		if (inside === null) return null;
		found ||= inside;
		rest = rest.slice(set[0].length);
	}
	return found;
}

function inMavenSet(version: string, fromIncluded: boolean, bounds: string, toIncluded: boolean) {
	const [from = '', to, ...more] = bounds.split(',').map((bound) => bound.trim());
	if (more.length) return null;
	if (to === undefined) {
		// A single version must stand in square brackets.
		if (!fromIncluded || !toIncluded || from === '') return null;
		return compareMaven(version, from) === 0;
	}
	const [low, high] = [
		from === '' ? 1 : compareMaven(version, from),
		to === '' ? -1 : compareMaven(version, to)
	];
	return (low > 0 || (low === 0 && fromIncluded)) && (high < 0 || (high === 0 && toIncluded));
}

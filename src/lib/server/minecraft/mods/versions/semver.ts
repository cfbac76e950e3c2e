/**
 * Versions as Fabric and Quilt compare them: semantic versions with any number of parts, missing ones being 0, and
 * build metadata ignored.
 */
export type SemVer = {
	/** Not empty. -1 stands for a wildcard, only at the end of a range's own version. */
	parts: number[];
	/** Null: a release. Empty: earlier than every possible pre-release. */
	prerelease: string | null;
};

const WILDCARD = -1;
const PART_MAX = 2 ** 31 - 1;
const PRERELEASE = /^(?:[-0-9A-Za-z]+(?:\.[-0-9A-Za-z]+)*)?$/;
const NUMBER = /^(?:0|[1-9]\d*)$/;

/** Null when it is not a semantic version: such versions can only be equal or different. */
export function parseSemVer(text: string, wildcards = false): SemVer | null {
	const [unbuilt = ''] = text.split('+', 1);
	const dash = unbuilt.indexOf('-');
	const core = dash < 0 ? unbuilt : unbuilt.slice(0, dash);
	const prerelease = dash < 0 ? null : unbuilt.slice(dash + 1);
	if (prerelease !== null && !PRERELEASE.test(prerelease)) return null;
	const words = core.split('.');
	const wild = wildcards ? words.findIndex((word) => /^[xX*]$/.test(word)) : -1;
	const numbers = wild < 0 ? words : words.slice(0, wild);
	const parts = numbers.map((word) => (/^\d+$/.test(word) ? Number(word) : NaN));
	if (parts.length === 0 || !parts.every((part) => part <= PART_MAX)) return null;
	if (wild < 0) return { parts, prerelease };
	// 1.x.x is 1.x; 1.x.2 and 1.x-beta are invalid.
	if (prerelease !== null || !words.slice(wild).every((word) => /^[xX*]$/.test(word))) return null;
	return { parts: [...parts, WILDCARD], prerelease: null };
}

export const hasWildcard = (version: SemVer) => version.parts.at(-1) === WILDCARD;

export function compareSemVer(a: SemVer, b: SemVer): number {
	for (let i = 0; i < Math.max(a.parts.length, b.parts.length); i++) {
		const order = (a.parts[i] ?? 0) - (b.parts[i] ?? 0);
		if (order !== 0) return order;
	}
	if (a.prerelease === null || b.prerelease === null)
		return Number(a.prerelease === null) - Number(b.prerelease === null);
	return comparePrereleases(words(a.prerelease), words(b.prerelease));
}

const words = (prerelease: string) => prerelease.split('.').filter((word) => word !== '');

function comparePrereleases(a: string[], b: string[]): number {
	for (const [i, left] of a.entries()) {
		const right = b[i];
		if (right === undefined) return 1;
		const [leftIsNumber, rightIsNumber] = [NUMBER.test(left), NUMBER.test(right)];
		if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1;
		if (leftIsNumber && left.length !== right.length) return left.length - right.length;
		if (left !== right) return left < right ? -1 : 1;
	}
	return a.length - b.length;
}

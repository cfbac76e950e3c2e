/**
 * Compares two game versions: negative when the first is older, zero or positive; null when that cannot be determined.
 * Releases have numbers (1.21.4, then 26.1), with `-pre`, `-rc` and `-snapshot` before each; weekly snapshots (25w41a)
 * have none.
 */
export function compareGameVersions(a: string, b: string): number | null {
	const [x, y] = [parse(a), parse(b)];
	if (a === b) return 0;
	if (!x || !y) return null;
	for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return x[i]! - y[i]!;
	return 0;
}

const STAGES: Record<string, number> = { snapshot: 0, pre: 1, rc: 2 };

function parse(version: string): number[] | null {
	const found =
		/^(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?(?:(?:-| )(snapshot|pre|rc|Pre-Release|Release Candidate)[- ]?(\d{1,4}))?$/.exec(
			version
		);
	if (!found) return null;
	const [, major, minor, patch = '0', word, count = '0'] = found;
	const stage =
		word === undefined ? 3 : word.startsWith('P') ? 1 : word.startsWith('R') ? 2 : STAGES[word]!;
	return [Number(major), Number(minor), Number(patch), stage, Number(count)];
}

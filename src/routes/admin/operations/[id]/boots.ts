import { listed } from '$lib/schemas/plain/words/listed';
import type { OperationKind, TrialBoot } from '$lib/schemas/operation';
import { duration } from '$lib/schemas/plain/words/duration';

type About = {
	kind: OperationKind;
	/** Every mod is a suspect, not only those of a change. */
	amongAll: boolean;
	/** How many of the files replace an older one; null where nobody knows. */
	updates: number | null;
	/** When the operation began: what was started before was not started for it. */
	since: string;
};

/** Where they are listed on the page of their operation: what a search says is proved there. */
export const STARTS = 'starts';

/** As many names as tell one set from another. */
const NAMED = 3;

/** What each start tried, in words that no other row has. */
export function rowsOf(boots: TrialBoot[], about: About) {
	const most = Math.max(0, ...boots.map(({ files }) => files.length));
	return boots.map((boot, nth) => ({
		...boot,
		what: what(boot, most, about) + (boots.slice(0, nth).some(isSame(boot)) ? ', once more' : ''),
		named: listed(boot.files, NAMED),
		hasMore: boot.files.length > NAMED
	}));
}

/** What the times measure, where the list holds more than this operation has started. */
export function measured(boots: TrialBoot[], about: About): string | null {
	const earlier = boots.filter((boot) => isEarlier(boot, about));
	if (!earlier.length) return null;
	const own = boots.filter((boot) => !earlier.includes(boot));
	const first = earlier.length === 1 ? 'The first was' : `The first ${earlier.length} were`;
	const known = `${first} made by the change that failed, in ${sum(earlier)}, before this search began.`;
	if (!own.length) return known;
	return `${known} The ${own.length === 1 ? 'other' : `other ${own.length}`} took ${sum(own)}. Each is measured from its start to its verdict.`;
}

/** What an update brings along is a file too: why there are more of them than updates. */
export function counted(boots: TrialBoot[], { kind, updates }: About): string | null {
	const most = Math.max(0, ...boots.map(({ files }) => files.length));
	const along = most - (updates ?? most);
	if (kind !== 'culprit' || !updates || along < 1) return null;
	return `The ${most} files are those of ${updates === 1 ? 'one update' : `${updates} updates`} and ${along} that ${along === 1 ? 'comes' : 'come'} along with ${updates === 1 ? 'it' : 'them'}.`;
}

function what({ files, control }: TrialBoot, most: number, { kind, amongAll }: About): string {
	if (kind === 'upgrade')
		return control ? 'The new game without mods, for comparison' : 'The new game with its mods';
	if (!files.length)
		return amongAll ? 'No mods at all, for comparison' : 'The mods as they are, for comparison';
	if (kind !== 'culprit') return 'The new set';
	if (control) return `All ${files.length} files together`;
	return `${files.length} of ${most} files`;
}

const isEarlier = ({ at }: TrialBoot, { kind, since }: About) => kind === 'culprit' && at < since;

const isSame = (a: TrialBoot) => (b: TrialBoot) =>
	a.control === b.control &&
	a.files.length === b.files.length &&
	a.files.every((file) => b.files.includes(file));

const sum = (boots: TrialBoot[]) =>
	duration(boots.reduce((ms, { durationMs }) => ms + durationMs, 0));

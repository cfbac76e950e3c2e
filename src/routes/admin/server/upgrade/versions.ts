import { listed } from '$lib/schemas/plain/words/listed';
import type { Upgrades, UpgradeVersion } from '$lib/schemas/mod';

/** Mods named in a sentence. */
export const NAMED = 5;

/** How far a mod that stays behind has come, by its makers' account. */
export const goesUpTo = ({ newestFor }: UpgradeVersion['late'][number]) =>
	newestFor ? `Minecraft ${newestFor}` : 'not known';

const share = (ready: number, total: number) =>
	total > 1 && ready === total ? `all ${total}` : `${ready} of ${total}`;

/** How many of the mods have a version for it; of what the registry does not know, nobody can say. */
export function readyWords(version: UpgradeVersion): string {
	const count = version.parked?.length;
	return count ? `${readyOf(version)}, ${count} parked` : readyOf(version);
}

function readyOf({ ready, total, unknown }: UpgradeVersion): string {
	if (total && !ready)
		return unknown.length
			? `No known mod is ready yet, ${unknown.length} unknown`
			: 'No mod is ready yet';
	const all = share(ready, total).replace(/^a/, 'A');
	if (!unknown.length) return total ? `${all} mods ready` : 'No mods to wait for';
	return total
		? `${all} known mods ready, ${unknown.length} unknown`
		: `${unknown.length} unknown ${unknown.length === 1 ? 'mod' : 'mods'}`;
}

/** What a plan for it would hold: those that are late are parked, and what needs them with them. */
export function planWords(version: UpgradeVersion): string {
	const { id, ready, total, late, along, unknown, parked = [] } = version;
	const [verb, has] = late.length === 1 ? ['is', 'it has'] : ['are', 'they have'];
	const titles = late.map(({ title }) => title);
	const parts = [
		total && (ready ? `${share(ready, total)} mods come along` : 'no mod comes along'),
		unknown.length &&
			`${unknown.length} unknown ${unknown.length === 1 ? 'file comes' : 'files come'} along as ${unknown.length === 1 ? 'it is' : 'they are'}, unless ticked`,
		late.length && `${listed(titles, NAMED)} ${verb} parked until ${has} a version`,
		along.length && `so ${along.length === 1 ? 'is' : 'are'} ${listed(along.map(whyAlong), NAMED)}`,
		parked.length && `${parked.length} parked before ${parked.length === 1 ? 'stays' : 'stay'} so`
	].filter(Boolean);
	const what = parts.length ? `: ${parts.join('; ')}` : '';
	return `The plan leads to Minecraft ${id} and changes nothing yet${what}.`;
}

const whyAlong = ({ title, reason }: UpgradeVersion['along'][number]) =>
	reason ? `${title} (${reason})` : title;

/** The one to look at first: the newest that has all mods, else the newest of those that most mods have. */
export function recommended({ newestComplete, versions }: Upgrades): string | null {
	const some = versions.filter(
		({ loader, failed, wentBack, ready }) => loader && !failed && !wentBack && ready
	);
	const most = Math.max(...some.map(({ ready }) => ready));
	return newestComplete ?? some.find(({ ready }) => ready === most)?.id ?? null;
}

const isHopeless = ({ loader, ready, total }: UpgradeVersion) => !loader || (total > 0 && !ready);

/** That one, the others, and last those that no mod has; each newest first. Before all of them the one asked for. */
export function inOrder(upgrades: Upgrades, wanted: string | null = null): UpgradeVersion[] {
	const first = recommended(upgrades);
	const rank = (one: UpgradeVersion) =>
		one.id === wanted ? -1 : one.id === first ? 0 : isHopeless(one) ? 2 : 1;
	return upgrades.versions.toSorted((a, b) => rank(a) - rank(b));
}

import type { SnapshotChanges, SnapshotMod } from '#schemas/snapshot';

/** A jar with what identifies its mod; null when it has no metadata. */
export type KnownJar = SnapshotMod & { modId: string | null };

const OTHERS_MAX = 500;

/** What comes back, goes away or changes, by mod; `come` and `go` are the jars, `names` all files. */
export function compare(come: KnownJar[], go: KnownJar[], names: string[]): SnapshotChanges {
	const left = new Set(go);
	const changed: SnapshotChanges['changed'] = [];
	const back = come.filter((then) => {
		const now = [...left].find((one) => sameMod(one, then));
		if (!now) return true;
		left.delete(now);
		const [from, to] = differing(now, then);
		changed.push({ name: then.name, from, to });
		return false;
	});
	return {
		back: back.map(shownMod),
		away: [...left].map(shownMod),
		changed,
		others: [...new Set(names)].sort().slice(0, OTHERS_MAX)
	};
}

const baseOf = (fileName: string) => fileName.replace(/\.disabled$/, '');
const sameMod = (a: KnownJar, b: KnownJar) =>
	baseOf(a.fileName) === baseOf(b.fileName) || (a.modId !== null && a.modId === b.modId);

/** What differs, in one word each: the version, whether it is enabled, or only the file. */
function differing(now: KnownJar, then: KnownJar): [string, string] {
	if (now.version !== then.version)
		return [now.version ?? now.fileName, then.version ?? then.fileName];
	const [nowOff, thenOff] = [now, then].map(({ fileName }) => fileName.endsWith('.disabled'));
	if (nowOff !== thenOff) return nowOff ? ['disabled', 'enabled'] : ['enabled', 'disabled'];
	return now.fileName === then.fileName
		? ['the file as it is now', 'the file as it was']
		: [now.fileName, then.fileName];
}

export const shownMod = ({ fileName, name, version }: KnownJar): SnapshotMod => ({
	fileName,
	name,
	version
});

import { withTitles, type ModTitles } from '#schemas/plain/mod-titles';
import type { Seen, Why } from './sources.ts';

/** What is seen of the server, with the titles of the mods that it names. */
export async function titled(
	seen: Seen,
	modTitles: (named: string[]) => Promise<ModTitles>
): Promise<Seen> {
	const named = [seen, seen.crashedBefore].flatMap((one) => one?.diagnosis?.mods ?? []);
	if (!named.length) return seen;
	const titles = await modTitles(named).catch((): ModTitles => ({}));
	const inWords = <W extends Why>(why: W): W => ({
		...why,
		reason: why.reason && withTitles(why.reason, titles),
		diagnosis: why.diagnosis && {
			...why.diagnosis,
			message: withTitles(why.diagnosis.message, titles),
			advice: why.diagnosis.advice && withTitles(why.diagnosis.advice, titles)
		}
	});
	const { crashedBefore } = seen;
	return { ...inWords(seen), ...(crashedBefore && { crashedBefore: inWords(crashedBefore) }) };
}

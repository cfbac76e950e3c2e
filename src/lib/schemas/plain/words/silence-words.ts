/** That a server does not answer, with for how long; the same with what it was told before. */
const SILENCE =
	/It runs, but has not answered for [^.]+\.|, but it has not answered for [^.]+(?=\.)/;

/** The reason of a state with for how long that has been so by now, which is counted while it is shown. */
export const withSilence = (reason: string, lasted: string) =>
	reason.replace(SILENCE, (told) => told.replace(/(?<= for ).*?(?=\.?$)/, lasted));

/** The reason of a state where a clock beside it counts that time; null when it says nothing else. */
export const withoutSilence = (reason: string) => reason.replace(SILENCE, '').trim() || null;

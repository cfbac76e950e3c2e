const SHOWN_MAX = 200;
/** The game's replies when nobody is online to be told; the older one was used until 1.12. */
const NOBODY = /^(?:No player was found|Selector '@a' found nothing)$/;

/** What the game answers to `tellraw @a`: an empty text when players have read it, else that nobody could, or why not. */
export function tellAnswer(answer: string): { heard: boolean; refusal: string | null } {
	const text = answer.replace(/§./gu, '').trim();
	if (text === '') return { heard: true, refusal: null };
	if (NOBODY.test(text)) return { heard: false, refusal: null };
	const shown = text
		.replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
		.slice(0, SHOWN_MAX)
		.toWellFormed();
	return { heard: false, refusal: `It answered: ${shown}` };
}

/** What is kept of a server that does not end is read by either role. */
export const CAN_KILL = 'a superadmin can kill it';

/** Such words as they are said to whoever may do it themselves. */
export const toKiller = (words: string, isSuperadmin: boolean) =>
	isSuperadmin ? words.replace(CAN_KILL, 'kill it') : words;

/** What killing it costs, to whom may do it and to whom may not. */
export const killAdvice = (isSuperadmin: boolean) =>
	toKiller(`${CAN_KILL}: what the game has not saved is lost.`, isSuperadmin);

/** While it is being ended. */
export const notEndingAdvice = (isSuperadmin: boolean) =>
	`If it hasn’t stopped in a minute or two, ${killAdvice(isSuperadmin)}`;

/** Of what hung before it was told to. */
export const HARDLY_ENDS = 'It hung before it was told to stop, so it will hardly stop by itself.';

/** One name for it wherever it can be pressed: a restart that waits for the end goes on. */
export const killLabel = (startsAgain: boolean) => (startsAgain ? 'Kill and start again' : 'Kill');

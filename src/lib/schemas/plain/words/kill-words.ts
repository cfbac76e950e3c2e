/** What is kept of a server that does not end is read by either role. */
export const CAN_KILL = 'a superadmin can kill it';

/** Such words as they are said to whoever may do it themselves. */
export const toKiller = (words: string, isSuperadmin: boolean) =>
	isSuperadmin ? words.replace(CAN_KILL, 'kill it') : words;

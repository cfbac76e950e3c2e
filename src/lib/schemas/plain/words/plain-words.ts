/** From the name of a Java exception, with the package before it, to the end of its sentence. */
const EXCEPTION =
	/(?:: |\s)\(?(?:[a-z]\w*\.)*[A-Z]\w*(?:Exception|Error)\b[^]*?(?=[.!?](?:\s+["“(A-Z]|$)|$)/g;

/** Why something failed, without what only programmers read. */
export const plainWords = (message: string): string => message.replace(EXCEPTION, '');

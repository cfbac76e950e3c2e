/** How the game says that it has not done a command: most of these show the place at fault, older versions only say so. */
const REFUSED =
	/<--\[HERE\]$|^Unknown (?:or incomplete )?command\b|^(?:No (?:player|entity) was found|That player does not exist)\.?$/;

/** `answer`: without colours. */
export const isRefusedByGame = (answer: string) => REFUSED.test(answer.trim());

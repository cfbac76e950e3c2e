/** A command that follows the one before directly. */
const NEXT_COMMAND = /(?<=[^\s/])(?=\/{1,2}[a-z])/g;

/** The game's answer to `help`, one command to a line: over RCON it comes without the breaks. */
export const helpLines = (answer: string): string => answer.replace(NEXT_COMMAND, '\n');

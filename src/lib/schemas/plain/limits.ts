/** What pages need from the schemas: this folder has no zod, which would otherwise reach the browser. */

/** Characters of a command in the console. */
export const COMMAND_MAX = 1000;
/** Characters of a search in the log. */
export const LOG_SEARCH_MAX = 200;
/** Lines of the log in one answer. */
export const LOG_LINES_MAX = 1000;
/** What stands above the lines of an excerpt that had room for no more. */
export const EXCERPT_CUT = '… the lines before are left out';
/** The log that the game is writing. */
export const LATEST_LOG = 'latest.log';
/** Rows of a leaderboard. */
export const BOARD_TOP = 10;
/** Characters of a search in it. */
export const BOARD_SEARCH_MAX = 100;
/** How long a server must stay healthy after its ready line before a change counts as good. */
export const HOLD_SECONDS = { real: 30, demo: 5 };
/** The same for a start on a copy. */
export const TRIAL_HOLD_SECONDS = { real: 20, demo: 5 };
/** The detail of the step that would have watched the server, where only files were to be changed. */
export const NOT_TRIED =
	'It has not been tried with the server. The next start will show whether it comes up.';
/** The details of the step that watched the server, where it had been started for a change and was left running. */
export const STAYED_UP = 'It came up healthy and stayed so.';
export const UP_AFTER_CRASH = 'It had crashed before. It came up healthy and is running.';
/** The detail of a step that was cut short by the end of the operation. */
export const NOT_REACHED = 'Not reached';

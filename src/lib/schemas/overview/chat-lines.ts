import type { ChatMessage } from '../chat.ts';

/** Who says what no person has sent, such as the announcement of a restart. */
export const DASHBOARD = 'Dashboard';

/** So many lines of the chat stand on the overview. */
const LINES = 4;
/** From so many messages they are taken: a countdown is announced a dozen times. */
export const CHAT_LOOKED_AT = 40;

const isOwn = (one?: ChatMessage) => one?.kind === 'say' && one.player === DASHBOARD;

/** The last lines: of what the dashboard announced in a row only the newest, so that it leaves room for what is said. */
export const chatLines = (messages: ChatMessage[]): ChatMessage[] =>
	messages.filter((one, i) => !(isOwn(one) && isOwn(messages[i + 1]))).slice(-LINES);

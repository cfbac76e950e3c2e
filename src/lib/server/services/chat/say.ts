import { CHAT_MESSAGE_MAX } from '#schemas/chat';
import { DASHBOARD } from '#schemas/overview/chat-lines';
import { tellAnswer } from '#schemas/plain/words/tell-answer';
import type { Actor } from '#core/actor';
import { AppError } from '#core/errors';
import type { Rcon } from '#minecraft/rcon';

/** The game refuses longer commands over RCON. */
const COMMAND_MAX_BYTES = 1446;
const SAY_LIMIT_MS = 5000;

/** Players see the role, never the name used to sign in. */
export const senderOf = ({ role }: Actor) =>
	role === null ? DASHBOARD : role === 'superadmin' ? 'Superadmin' : 'Admin';

/**
 * Without what is not text: controls, formats, what turns the order of letters around. AppError `invalid` when nothing
 * is left or it is too long.
 */
export function cleanMessage(message: string): string {
	const clean = message
		.toWellFormed()
		.replace(/[\t-\r\p{Zl}\p{Zp}]+/gu, ' ')
		.replace(/[§\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
		.trim();
	if (!/[^\s\p{Cf}]/u.test(clean)) throw refused('There is nothing to read in this message.');
	return clean;
}

/** To all players, or to one. AppError `invalid` when the game would not take it. */
export function sayCommand(sender: string, message: string, to?: string): string {
	// People's words reach the game only as JSON: nothing in them acts as a selector, a format or an end.
	const component = {
		text: '',
		extra: [{ text: `[${sender}${to ? ' to you' : ''}] `, color: 'gold' }, { text: message }]
	};
	const command = `tellraw ${to ?? '@a'} ${JSON.stringify(component)}`;
	if (Buffer.byteLength(command) > COMMAND_MAX_BYTES)
		throw refused(
			`The message is too long for the game. Nothing was sent: try at most ${CHAT_MESSAGE_MAX} characters.`
		);
	return command;
}

const refused = (message: string) =>
	new AppError('invalid', message, { issues: [{ path: 'message', message }] });

/** Resolves when the game has accepted the command; `heard` is false when nobody is online to read it. */
export async function tell(
	rcon: Pick<Rcon, 'command'>,
	command: string
): Promise<{ heard: boolean }> {
	const answer = await rcon.command(command, { timeoutMs: SAY_LIMIT_MS }).catch((error) => {
		if (!(error instanceof AppError) || error.code !== 'outcome-unknown') throw error;
		throw new AppError(
			'timeout',
			'The message was handed to the server, but no answer came: players may or may not have seen it. Ask in the game before you send it again.',
			{ code: 'outcome-unknown', cause: error }
		);
	});
	const { heard, refusal } = tellAnswer(answer);
	if (refusal) throw new AppError('upstream', `The server did not accept the message. ${refusal}`);
	return { heard };
}

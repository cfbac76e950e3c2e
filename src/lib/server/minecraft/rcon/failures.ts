import { AppError, type Code } from '#core/errors';
import type { Reason, RconFailure } from './link.ts';

type Place = { host: string; port: number };

export const busy = () =>
	new AppError('busy', 'The server console is busy with other commands. Try again in a moment.');

export const closing = () =>
	new AppError('offline', 'The dashboard is closing. Nothing was sent.', { code: 'rcon-closed' });

export const switchedOff = () =>
	new AppError(
		'offline',
		'The remote console (RCON) is off. Switch it on in server.properties, with a password, and restart the server.',
		{ code: 'rcon-off' }
	);

/** What a failure means for the person who asked. Names the address, never the password. */
export function explain(failure: RconFailure, place: Place, retryAfterS: number): AppError {
	if (failure.sent) return outcomeUnknown(failure);
	const [code, text] = UNSENT[failure.reason];
	return new AppError('offline', text(`${place.host}:${place.port}`), {
		code,
		cause: failure.cause,
		...(retryAfterS > 0 && { retryAfterS })
	});
}

export const outcomeUnknown = (failure: RconFailure) =>
	new AppError(
		'timeout',
		`The command was sent, but ${WHY_UNKNOWN[failure.reason] ?? 'no answer came'}. It may have run: look at the server before you repeat it.`,
		{ code: 'outcome-unknown', cause: failure.cause }
	);

const WHY_UNKNOWN: Partial<Record<Reason, string>> = {
	lost: 'the connection closed before the answer was complete',
	protocol: 'what came back could not be read',
	aborted: 'the dashboard closed before the answer came'
};

const unreachable = (at: string) =>
	`The server console (RCON) at ${at} cannot be reached. Nothing was sent. Is the server running?`;

const UNSENT: Record<Reason, [code: Code, text: (at: string) => string]> = {
	unreachable: ['rcon-unreachable', unreachable],
	lost: ['rcon-unreachable', unreachable],
	aborted: ['rcon-unreachable', unreachable],
	silent: [
		'rcon-silent',
		(at) =>
			`The server console (RCON) at ${at} does not answer. Nothing was sent. The server may be overloaded or frozen.`
	],
	protocol: [
		'rcon-protocol',
		(at) =>
			`What answers at ${at} does not speak RCON. Nothing was sent. Check rcon.port in server.properties.`
	],
	auth: [
		'rcon-auth',
		(at) =>
			`The server console (RCON) at ${at} refused the password. A restart of the server usually helps. If it does not, another program is using the port: choose another rcon.port.`
	],
	'logged-out': [
		'rcon-auth',
		(at) => `The server console (RCON) at ${at} does not accept the login. Nothing was sent.`
	],
	'auth-unsure': [
		'rcon-auth-unsure',
		(at) =>
			`The server console (RCON) at ${at} closed the connection during the login. The server may be starting or stopping, or the password is wrong.`
	]
};

import { createHash } from 'node:crypto';
import { lookup as systemLookup } from 'node:dns';
import { connect, type Socket } from 'node:net';
import type { Clock } from '#core/clock';
import { deadline } from '#core/deadline';
import { guardedLookup, isPublicAddress, requirePublic, type Lookup } from '#core/net';
import type { Answer, Mail } from './kinds/index.ts';
import { failure, reasonOf } from './outbound.ts';
import { plainLine } from './text.ts';

/** One mail to a server that may do anything. */
export type Mailer = (mail: Mail, allowPrivate: boolean, signal: AbortSignal) => Promise<Answer>;

type Deps = {
	lookup?: Lookup;
	/** Whether an address is outside of this machine and its network: it gets nothing that is not encrypted. */
	isPublic?: (address: string) => boolean;
	/** Further authorities for certificates. */
	ca?: string;
	/** The port that is encrypted from the first byte. */
	implicitTlsPort?: number;
	clock: Clock;
};

/** Some servers make strangers wait for their greeting. */
const LIMIT_MS = 30_000;
const WORDS_MAX = 300;

export function createMailer(deps: Deps): Mailer {
	const {
		lookup = systemLookup,
		isPublic = isPublicAddress,
		ca,
		implicitTlsPort = 465,
		clock
	} = deps;

	async function send(mail: Mail, allowPrivate: boolean, signal: AbortSignal): Promise<Answer> {
		const socket = await connected(mail, guardedLookup(lookup, allowPrivate), allowPrivate, signal);
		const mayBePlain = allowPrivate && !isPublic(socket.remoteAddress ?? '');
		// Loaded with the first mail: most installations send none.
		const { createTransport } = await import('nodemailer');
		const { host, port, login } = mail;
		const transport = createTransport({
			...{ host, port, secure: port === implicitTlsPort, requireTLS: !mayBePlain },
			getSocket: (_, callback) => callback(null, { connection: socket }),
			...(login && { auth: { user: login.username, pass: login.password } }),
			tls: { rejectUnauthorized: !mayBePlain, ...(ca && { ca }) },
			...{ connectionTimeout: LIMIT_MS, greetingTimeout: LIMIT_MS, socketTimeout: LIMIT_MS },
			...{ disableFileAccess: true, disableUrlAccess: true }
		});
		signal.addEventListener('abort', () => socket.destroy(), { once: true });
		try {
			const { response, rejected } = await transport.sendMail(messageOf(mail));
			return delivered(response, rejected.length);
		} finally {
			transport.close();
			socket.destroy();
		}
	}

	return (mail, allowPrivate, outer) =>
		deadline(
			{ ms: LIMIT_MS, clock, signal: outer },
			(signal) => send(mail, allowPrivate, signal),
			() => failure(`It did not answer within ${LIMIT_MS / 1000} seconds.`)
		).catch((cause: unknown) => {
			if (outer.aborted) throw cause;
			return answerOf(cause as SmtpError, mail);
		});
}

function connected(
	{ host, port }: Mail,
	lookup: ReturnType<typeof guardedLookup>,
	anyAddress: boolean,
	signal: AbortSignal
): Promise<Socket> {
	if (!anyAddress) requirePublic(host);
	const { promise, resolve, reject } = Promise.withResolvers<Socket>();
	const socket = connect({ host, port, lookup, signal });
	socket.once('connect', () => resolve(socket));
	// For as long as it lives: what comes after the mail is nobody's business.
	socket.on('error', reject);
	return promise;
}

const digestOf = (id: string) => createHash('sha256').update(id).digest('hex').slice(0, 32);

/** The id makes mail servers and programs show the same mail once. */
const messageOf = ({ from, to, subject, text, id, at }: Mail) => ({
	...{ from, to, subject, text, date: new Date(at) },
	messageId: `<${digestOf(id)}@${from.split('@')[1]}>`,
	headers: { 'Auto-Submitted': 'auto-generated', 'X-Craftwarden-Event': digestOf(id) },
	...{ disableFileAccess: true, disableUrlAccess: true }
});

const delivered = (response: string, rejected: number): Answer => ({
	...{ outcome: 'delivered', retryAfterMs: null, status: null },
	words: rejected ? `Delivered, but not to ${rejected} of the addresses.` : 'Delivered.',
	answer: plainLine(response, WORDS_MAX) || null
});

/** What nodemailer throws: the server's own words, if it said any, and at which step. */
type SmtpError = Error & {
	code?: string;
	/** The system's own code beneath it. */
	originalCode?: string;
	responseCode?: number;
	response?: string;
};

function answerOf(cause: SmtpError, { login }: Mail): Answer {
	const { code, responseCode: status = null, response = '' } = cause;
	const secrets = login ? [login.password, Buffer.from(login.password).toString('base64')] : [];
	const said = secrets.some((secret) => response.includes(secret)) ? '' : response;
	const base = { status, answer: plainLine(said, WORDS_MAX) || null, retryAfterMs: null };
	if (code === 'ETLS')
		return {
			...{ ...base, outcome: 'later' },
			words:
				'It offers no encryption that can be trusted. Use port 465 or 587; without encryption only private addresses are sent to.'
		};
	if (status === null) return failure(wordsOf(cause));
	if (status >= 500 && code === 'EAUTH')
		return {
			...{ ...base, outcome: 'gone' },
			words: `It refuses the user name or password (${status}). Check them, and turn the channel on again.`
		};
	if (status >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE'))
		return { ...base, outcome: 'refused', words: `It does not accept the mail (${status}).` };
	return { ...base, outcome: 'later', words: `It has a problem of its own (${status}).` };
}

const SPOKEN: Record<string, string> = {
	ETIMEDOUT: 'It did not answer in time.',
	ECONNECTION: 'It closed the connection.',
	EPROTOCOL: 'Its answer is not SMTP.',
	EAUTH: 'It offers no way to log in that is known here.'
};
/** Never the error's own words: they may hold what was sent. */
function wordsOf(cause: SmtpError): string {
	const { code = '', originalCode } = cause;
	if (SPOKEN[code]) return SPOKEN[code];
	return reasonOf(originalCode ? Object.assign(new Error(), { code: originalCode }) : cause);
}

import { expect, test } from 'vitest';
import { systemClock, type Clock } from '#core/clock';
import { certificateFor, hasOpenssl, startSmtpPeer } from '../../../../../tests/fakes/smtp-peer.ts';
import type { Mail } from './kinds/index.ts';
import { createMailer } from './mail.ts';

const NAME = 'smtp.example.test';
const never = new AbortController().signal;
/** Waits a thirtieth of the time. */
const hasty: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 30, signal) };

const mailTo = (port: number, more: Partial<Mail> = {}): Mail => ({
	...{ host: NAME, port, login: null, from: 'mc@example.org', to: 'a@example.org, b@example.org' },
	...{
		subject: 'Survival: it fell',
		text: 'At 03:04.',
		id: 'event 1',
		at: '2026-01-02T03:04:05.000Z'
	},
	...more
});
/** `outside`: the machine's own address counts as one of the internet. */
const mailer = ({ outside = false, ca = '', implicitTlsPort = 465 } = {}) =>
	createMailer({
		lookup: (_, __, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
		...(outside && { isPublic: () => true }),
		...(ca && { ca }),
		implicitTlsPort,
		clock: hasty
	});

test('inside one’s own network mail arrives without encryption: plain text, with a stable id', async () => {
	const peer = await startSmtpPeer();
	const send = mailer();
	const mail = mailTo(peer.port, { subject: 'Überfall “x”\r\nBcc: evil@example.org' });
	expect(await send(mail, true, never)).toMatchObject({
		...{ outcome: 'delivered', answer: '250 queued as 42' }
	});
	await send(mail, true, never);
	const [first, second] = peer.received;
	expect(first).toMatchObject({ secure: false, login: null });
	expect(first!.to).toEqual(['TO:<a@example.org>', 'TO:<b@example.org>']);
	const [head, body] = first!.data.split('\r\n\r\n');
	expect(head).not.toMatch(/^bcc:/im);
	expect(head).toMatch(/^Content-Type: text\/plain; charset=utf-8/m);
	expect(head).toMatch(/^Auto-Submitted: auto-generated/m);
	expect(body).toContain('At 03:04.');
	const idOf = (data: string) => /^Message-ID: (<\w+@example\.org>)/m.exec(data)?.[1];
	expect(idOf(first!.data)).toBeDefined();
	expect(idOf(second!.data)).toBe(idOf(first!.data));
});

test('an internal address is not connected to unless the channel allows it', async () => {
	const peer = await startSmtpPeer();
	for (const host of [NAME, '127.0.0.1', '::1'])
		expect(await mailer()(mailTo(peer.port, { host }), false, never)).toMatchObject({
			...{ outcome: 'later', words: expect.stringContaining('inside this machine') }
		});
	expect(peer.connections()).toBe(0);
});

test('outside it, a server without STARTTLS gets neither the password nor the mail', async () => {
	const peer = await startSmtpPeer();
	const login = { username: 'me', password: 'geheim' };
	const answer = await mailer({ outside: true })(mailTo(peer.port, { login }), true, never);
	expect(answer).toMatchObject({ outcome: 'later', words: expect.stringContaining('encryption') });
	expect(peer.received).toEqual([]);
});

test.skipIf(!hasOpenssl)(
	'with STARTTLS the certificate is checked, and only then the password sent',
	async () => {
		const certificate = certificateFor(NAME);
		const peer = await startSmtpPeer({ certificate });
		const mail = mailTo(peer.port, { login: { username: 'me', password: 'geheim' } });
		const unknown = await mailer({ outside: true })(mail, true, never);
		expect(unknown).toMatchObject({
			outcome: 'later',
			words: expect.stringContaining('certificate')
		});
		expect(peer.received).toEqual([]);
		const known = mailer({ outside: true, ca: certificate.cert });
		expect(await known(mail, true, never)).toMatchObject({ outcome: 'delivered' });
		expect(peer.received).toMatchObject([{ secure: true, login: '\0me\0geheim' }]);
	}
);

test.skipIf(!hasOpenssl)('the port for TLS is encrypted from the first byte', async () => {
	const certificate = certificateFor(NAME);
	const peer = await startSmtpPeer({ certificate, implicitTls: true });
	const send = mailer({ outside: true, ca: certificate.cert, implicitTlsPort: peer.port });
	expect(await send(mailTo(peer.port), true, never)).toMatchObject({ outcome: 'delivered' });
	expect(peer.received).toMatchObject([{ secure: true }]);
});

test.each([
	[{ greeting: '421 too busy' }, 'later', 421],
	[{ greeting: '554 no service' }, 'later', 554],
	[{ greeting: 'HTTP/1.1 400 Bad Request' }, 'later', null],
	[{ answers: { AUTH: '535 5.7.8 no: geheim Z2VoZWlt' } }, 'gone', 535],
	[{ answers: { AUTH: '454 later' } }, 'later', 454],
	[{ answers: { RCPT: '550 nobody here' } }, 'refused', 550],
	[{ answers: { RCPT: '450 greylisted' } }, 'later', 450],
	[{ answers: { DATA: '451 try again' } }, 'later', 451],
	[{ answers: { END: '554 looks like spam' } }, 'refused', 554],
	[{ answers: { END: '452 disk full' } }, 'later', 452],
	[{ silent: true }, 'later', null]
] as const)('a server that behaves like %j: %s', async (behaviour, outcome, status) => {
	const peer = await startSmtpPeer(behaviour);
	const login = { username: 'me', password: 'geheim' };
	const answer = await mailer()(mailTo(peer.port, { login }), true, never);
	expect(answer).toMatchObject({ outcome, status });
	expect(JSON.stringify(answer)).not.toMatch(/geheim|Z2VoZWlt/);
	expect(peer.received).toEqual([]);
});

test('closing aborts a mail that hangs', async () => {
	const peer = await startSmtpPeer({ silent: true });
	const closing = new AbortController();
	const sending = mailer()(mailTo(peer.port), true, closing.signal);
	await expect.poll(peer.connections).toBe(1);
	closing.abort();
	await expect(sending).rejects.toThrow();
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';

export type ReceivedMail = {
	from: string;
	to: string[];
	login: string | null;
	data: string;
	secure: boolean;
};
type Certificate = { key: string; cert: string };
type Behaviour = {
	/** Offers STARTTLS, with this. */
	certificate?: Certificate | null;
	/** Encrypted from the first byte. */
	implicitTls?: boolean;
	/** Says nothing at all. */
	silent?: boolean;
	/** Instead of its greeting: written to every client at once. */
	greeting?: string;
	/** Its answer to a verb (`RCPT`, `AUTH`, `END` of the mail) instead of the usual one. */
	answers?: Record<string, string>;
};

export const hasOpenssl = (() => {
	try {
		execFileSync('openssl', ['version'], { stdio: 'ignore', timeout: 10_000 });
		return true;
	} catch {
		return false;
	}
})();

/** A self-signed certificate for `name`. Needs `openssl`. */
export function certificateFor(name: string): Certificate {
	const dir = mkdtempSync(path.join(tmpdir(), 'smtp-'));
	try {
		const [key, cert] = [path.join(dir, 'key.pem'), path.join(dir, 'cert.pem')];
		execFileSync(
			'openssl',
			[
				...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
				...['-keyout', key, '-out', cert, '-days', '2', '-subj', `/CN=${name}`],
				...['-addext', `subjectAltName=DNS:${name}`]
			],
			{ stdio: 'ignore', timeout: 20_000 }
		);
		return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
	} finally {
		rmSync(dir, { recursive: true });
	}
}

/** A mail server of our own that keeps what it gets, and behaves as scripted. */
export async function startSmtpPeer(behaviour: Behaviour = {}) {
	const {
		certificate = null,
		implicitTls,
		silent,
		greeting = '220 mail ready',
		answers = {}
	} = behaviour;
	const encrypted = (socket: Socket) =>
		new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(certificate!) });
	const received: ReceivedMail[] = [];
	const sockets = new Set<Socket>();
	let connections = 0;

	function serve(socket: Socket, secure: boolean, greets: boolean) {
		let mail: ReceivedMail = { from: '', to: [], login: null, data: '', secure };
		let login: string | null = null;
		let inData = false;
		let buffer = '';
		const say = (text: string) => socket.write(`${text}\r\n`);
		const upgrade = () => {
			say('220 go ahead');
			socket.removeAllListeners('data');
			serve(encrypted(socket), true, false);
		};
		const usual: Record<string, (rest: string) => string> = {
			EHLO: () =>
				['250-mail', ...(certificate && !secure ? ['250-STARTTLS'] : []), '250 AUTH PLAIN'].join(
					'\r\n'
				),
			AUTH: (rest) => {
				login = Buffer.from(rest.replace(/^PLAIN /, ''), 'base64').toString();
				return '235 welcome';
			},
			MAIL: (rest) => {
				mail = { from: rest, to: [], login, data: '', secure };
				return '250 ok';
			},
			RCPT: (rest) => {
				mail.to.push(rest);
				return '250 ok';
			},
			DATA: () => {
				inData = true;
				return '354 go on';
			},
			QUIT: () => '221 bye'
		};
		function line(text: string) {
			if (inData) {
				if (text !== '.') return void (mail.data += `${text}\r\n`);
				inData = false;
				if (!answers['END']) received.push(mail);
				return say(answers['END'] ?? '250 queued as 42');
			}
			const [, verb = '', rest = ''] = /^(\w+) ?(.*)$/.exec(text) ?? [];
			if (verb === 'STARTTLS' && certificate) return upgrade();
			say(answers[verb] ?? usual[verb]?.(rest) ?? '502 what?');
		}
		socket.on('error', () => {});
		socket.on('data', (chunk) => {
			buffer += chunk.toString();
			for (let end; (end = buffer.indexOf('\r\n')) >= 0;) {
				const text = buffer.slice(0, end);
				buffer = buffer.slice(end + 2);
				line(text);
			}
		});
		if (greets && !silent) say(greeting);
	}

	const server = createServer((socket) => {
		connections++;
		sockets.add(socket);
		if (implicitTls) serve(encrypted(socket), true, true);
		else serve(socket, false, true);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(async () => {
		for (const socket of sockets) socket.destroy();
		await new Promise((resolve) => server.close(resolve));
	});
	return {
		port: (server.address() as AddressInfo).port,
		received,
		connections: () => connections
	};
}

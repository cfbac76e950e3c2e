// Serves the build. adapter-node takes plain http for https and believes any X-Forwarded-* header; here the
// connection itself decides, and a proxy is believed only when TRUST_PROXY names it (docs/decisions).
import { createServer } from 'node:http';
import { enableCompileCache } from 'node:module';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { fileURLToPath } from 'node:url';
import { tidyMemory } from './tidy-memory.js';

const HEADERS_TIMEOUT_MS = 10_000;
/** A jar or a pack may arrive over a slow connection; its sender was authenticated before its first byte was read. */
const UPLOAD_TIMEOUT_MS = 15 * 60_000;
const UPLOADS = /^\/(api\/mods\/upload|admin\/mods|api\/software\/plan|admin\/server)(\?|$)/;
const BODY_TIMEOUT_MS = 20_000;
/** Node forgives the first time when some bytes left at the beginning, so that a reader may stall twice as long. */
const STALL_MS = 10_000;
const DRAIN_MS = 500;
const SHUTDOWN_MS = 4_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Browsers wait for an answer before they ask again on its connection; each request in a pile takes memory at once. */
const PIPELINED_MAX = 10;

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
try {
	process.loadEnvFile('.env');
} catch {
	// There is none, or the app reports what is wrong with it.
}

Object.assign(process.env, {
	PROTOCOL_HEADER: 'x-forwarded-proto',
	HOST_HEADER: 'x-forwarded-host',
	ADDRESS_HEADER: 'x-forwarded-for',
	XFF_DEPTH: '1',
	BODY_SIZE_LIMIT: '2G' // routes set their own, smaller ones
});

/** What every answer carries, also static files and errors; pages replace the policy by their own with a nonce. */
const DEFENCE = Object.entries({
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'same-origin',
	'content-security-policy':
		"default-src 'self'; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
});

// What was compiled by the starts before; without it a start takes some 50 ms longer. A new build begins anew.
enableCompileCache('build/compile-cache');
const { handler } = await import(new URL('../build/handler.js', import.meta.url).href);
/** Made by the init hook, which has run by now. @type {{ ready: Promise<import('../src/lib/server/app.ts').App> }} */
const { ready } = /** @type {any} */ (globalThis).craftwarden;
const { env, failures, close } = await ready;

const proxies = new BlockList();
for (const entry of env.trustProxy) {
	const [address = '', prefix] = entry.split('/');
	const family = isIPv6(address) ? 'ipv6' : 'ipv4';
	if (prefix) proxies.addSubnet(address, Number(prefix), family);
	else proxies.addAddress(address, family);
}
/** @param {string} address */
const trusted = (address) => proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
/** @param {string | undefined} address */
const plain = (address) => (address ?? '').replace(/^::ffff:/, '');

/** Leaves one true protocol, host and client address for the adapter. @param {import('node:http').IncomingMessage} req */
function settleForwarding(req) {
	const { headers } = req;
	const peer = plain(req.socket.remoteAddress);
	let client = peer;
	if (env.trustProxy.length && trusted(peer)) {
		const hops = String(headers['x-forwarded-for'] ?? '').split(',');
		for (const hop of hops.map((text) => plain(text.trim())).reverse()) {
			if (!isIP(hop)) break; // made up, or none: the last known one answers for it
			client = hop;
			if (!trusted(hop)) break;
		}
		settle(headers, 'proto', headers['x-forwarded-proto'] === 'https' ? 'https' : 'http');
		settle(headers, 'host', headers['x-forwarded-host'] || headers.host);
	} else {
		settle(headers, 'proto', 'http');
		settle(headers, 'host', headers.host);
	}
	settle(headers, 'for', client || '0.0.0.0');
}

/**
 * Where the adapter looks, but not where it copies headers into a Request, which costs more than the whole rest.
 * @param {object} headers @param {'proto' | 'host' | 'for'} name @param {unknown} value
 */
const settle = (headers, name, value) =>
	Object.defineProperty(headers, `x-forwarded-${name}`, { value, enumerable: false });

/** @param {import('node:http').IncomingMessage} req */
function sane({ url, rawHeaders }) {
	let hosts = 0;
	for (let i = 0; i < rawHeaders.length; i += 2)
		if (rawHeaders[i]?.toLowerCase() === 'host') hosts++;
	return url?.startsWith('/') && hosts === 1;
}

/** What an answered request still sends is read and dropped for a moment, so that the answer gets through. @param {import('node:http').IncomingMessage} req */
function drain(req) {
	if (req.complete) return;
	req.removeAllListeners('data').resume();
	const timer = setTimeout(() => req.destroy(), DRAIN_MS);
	req.once('end', () => clearTimeout(timer));
}

/** A body that trickles in is not waited for. @param {import('node:http').IncomingMessage} req */
function limitBody(req) {
	const timer = setTimeout(() => req.complete || req.socket.destroy(), BODY_TIMEOUT_MS);
	req.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}

/** Files that never change are not revalidated: on each file of a page it would be 80 bytes. @param {import('node:http').ServerResponse} res */
function omitValidators(res) {
	/** @type {any} */
	const answer = res;
	const { writeHead } = answer;
	answer.writeHead = (
		/** @type {number} */ status,
		/** @type {Record<string, unknown>} */ given
	) => {
		const headers = { ...given };
		delete headers['ETag'];
		delete headers['Last-Modified'];
		return writeHead.call(res, status, headers);
	};
}

/** On a socket: how many of its requests are not answered yet. */
const UNANSWERED = Symbol('unanswered');

/** One for all, since each listener of a request's own costs. @this {import('node:http').ServerResponse & { req: any }} */
function answered() {
	this.req.socket[UNANSWERED]--;
}

/** @param {{ socket: any }} req @param {import('node:http').ServerResponse} res */
function isPile({ socket }, res) {
	socket[UNANSWERED] = (socket[UNANSWERED] ?? 0) + 1;
	res.on('close', answered);
	return socket[UNANSWERED] > PIPELINED_MAX;
}

/** Those that came together are answered together, which takes a quarter less time than one by one. @type {[import('node:http').IncomingMessage, import('node:http').ServerResponse][]} */
let waiting = [];

function answerWaiting() {
	const together = waiting;
	waiting = [];
	for (const [req, res] of together)
		try {
			handler(req, res);
		} catch (cause) {
			survive(cause);
			res.destroy();
		}
}

const server = createServer(
	{
		headersTimeout: HEADERS_TIMEOUT_MS,
		requestTimeout: UPLOAD_TIMEOUT_MS,
		connectionsCheckingInterval: 2_000,
		keepAliveTimeout: 10_000,
		maxHeaderSize: MAX_HEADER_BYTES
	},
	(req, res) => {
		if (isPile(req, res)) return void req.socket.destroy();
		// Scripts and styles are no documents: the policy would only cost bytes, on every one of them.
		if (req.url?.startsWith('/_app/')) res.setHeader('x-content-type-options', 'nosniff');
		else for (const [name, value] of DEFENCE) res.setHeader(name, value);
		if (!sane(req)) return void res.writeHead(400, { connection: 'close' }).end();
		if (req.url?.startsWith('/_app/immutable/')) omitValidators(res);
		settleForwarding(req);
		if ('content-length' in req.headers || 'transfer-encoding' in req.headers) {
			if (!UPLOADS.test(req.url ?? '')) limitBody(req);
			res.once('finish', () => drain(req));
		}
		if (waiting.push([req, res]) === 1) setImmediate(answerWaiting);
	}
);
// A reader that takes nothing of its answer for this long is hung up on; one that just waits for it is not.
server.timeout = STALL_MS;
server.on('timeout', (/** @type {any} */ socket) => {
	if (!socket[UNANSWERED] || socket.writableLength > 0) socket.destroy();
});
server.on('clientError', (error, socket) => {
	// Browsers open connections for later: on one of those, a word would be taken for the answer to what they ask next.
	const code = 'code' in error ? error.code : null;
	if (code === 'ERR_HTTP_REQUEST_TIMEOUT' || !socket.writable) return void socket.destroy();
	const tooLong = code === 'HPE_HEADER_OVERFLOW';
	const status = tooLong ? '431 Request Header Fields Too Large' : '400 Bad Request';
	socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
	setTimeout(() => socket.destroy(), DRAIN_MS).unref(); // not every client hangs up itself
});

/** @type {Record<string, string>} */
const CANNOT_LISTEN = {
	EADDRINUSE: `PORT: ${env.port} is in use by another program. Stop it, or set another PORT.`,
	EACCES: `PORT: this user may not listen on ${env.port}. Set a PORT above 1023.`,
	EADDRNOTAVAIL: `HOST: ${env.host} is no address of this machine. Correct it, or remove the line.`,
	ENOTFOUND: `HOST: ${env.host} is not known. Give an address, e.g. 127.0.0.1.`
};
server.on('error', async (error) => {
	const code = 'code' in error ? String(error.code) : '';
	process.stderr.write(`craftwarden: ${CANNOT_LISTEN[code] ?? `HOST: ${error.message}`}\n`);
	await close();
	process.exit(1);
});
tidyMemory(server);
server.listen(env.port, env.host, () => {
	const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
	const shown = ['0.0.0.0', '::', '127.0.0.1'].includes(env.host) ? 'localhost' : env.host;
	const url = `http://${shown}:${port}`;
	process.stdout.write(`Craftwarden ${env.version} listens on ${url}\n`);
	process.stdout.write(env.demo ? demoWords(url) : words());
});

/** What a service's log needs to say about one's own server, and no more. */
function words() {
	const reach = ['0.0.0.0', '::'].includes(env.host) ? 'On all addresses of this machine. ' : '';
	return `${reach}Log in as ${env.accounts[0]?.name}; the overview leads on from there.\n`;
}

/** What this is and what to do next, for whoever has just typed `npm start`. @param {string} url */
function demoWords(url) {
	const { newAccounts, accounts, dataDir, host, envFile } = env;
	const kept = `${dataDir}/demo-credentials.json`;
	const where = host === '127.0.0.1' ? ' in a browser on this machine' : ' in a browser';
	const { port } = new URL(url);
	const elsewhere =
		host === '127.0.0.1'
			? [
					`     From another machine: HOST=0.0.0.0 npm start here, or there: ssh -L ${port}:localhost:${port} user@this-machine`
				]
			: [];
	const own = process.env.SUPERADMIN_PASSWORD
		? 'the password that you have set'
		: `the password in ${kept}`;
	const logIn = newAccounts.length
		? [
				...newAccounts.map(
					({ name, password, role }) =>
						`       ${name.padEnd(12)} password ${password}   (may do ${role === 'superadmin' ? 'everything' : 'less'})`
				),
				`     The passwords are shown once; they are kept in ${kept}`
			]
		: [`       ${accounts[0]?.name}, with ${own}`];
	return [
		'',
		'This is the demo: a small game server with made-up mods and players. Nothing of yours is touched.',
		`  1. Open ${url}${where} and log in as`,
		...logIn,
		...elsewhere,
		'  2. Follow “Try this” on the overview: update everything, and learn which mod is bad.',
		...(envFile
			? [
					'  3. Your own server: set SERVER_DIR, SUPERADMIN_USERNAME and SUPERADMIN_PASSWORD',
					`     in ${envFile}, and start again.`
				]
			: [
					'  3. Your own server: cp .env.example .env, set SERVER_DIR, SUPERADMIN_USERNAME and SUPERADMIN_PASSWORD',
					'     in it, and start again.'
				]),
		'Ctrl+C ends Craftwarden, not its game server: to end that too, stop it on the page first.',
		''
	].join('\n');
}

let stopping = false;
async function shutdown() {
	if (stopping) return;
	stopping = true;
	setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
	setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS / 2).unref();
	server.close();
	await close(); // ends the live streams, which would keep the server open
	server.closeIdleConnections();
	await disconnected;
	process.exit(0);
}
/** Mostly before the rest is in order, which a backup that has paused the game's saving needs. */
const disconnected = new Promise((resolve) => server.once('close', () => resolve(null)));
process.on('SIGTERM', shutdown);
process.on('SIGINT', shutdown);

/** One unhandled promise or event must not bring the dashboard down for everybody. @param {unknown} cause */
const survive = (cause) => failures.report('Unexpected error outside of any request', { cause });
process.on('unhandledRejection', survive);
process.on('uncaughtException', survive);

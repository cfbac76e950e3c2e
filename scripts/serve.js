// Serves the build. adapter-node takes plain http for https and believes any X-Forwarded-* header; here the
// connection itself decides, and a proxy is believed only when TRUST_PROXY names it (docs/decisions).
import { createServer } from 'node:http';
import { existsSync } from 'node:fs';
import { BlockList, isIPv6 } from 'node:net';
import { fileURLToPath } from 'node:url';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
const DRAIN_MS = 500;
const SHUTDOWN_MS = 4_000;
const MAX_HEADER_BYTES = 16 * 1024;

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
if (existsSync('.env')) process.loadEnvFile('.env');

Object.assign(process.env, {
	PROTOCOL_HEADER: 'x-forwarded-proto',
	HOST_HEADER: 'x-forwarded-host',
	ADDRESS_HEADER: 'x-forwarded-for',
	XFF_DEPTH: '1',
	BODY_SIZE_LIMIT: '512M' // routes set their own, smaller ones
});

/** What every answer carries, also static files and errors; pages replace the policy by their own with a nonce. */
const DEFENCE = {
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'same-origin',
	'x-frame-options': 'DENY',
	'content-security-policy':
		"default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
};

const { handler } = await import(new URL('../build/handler.js', import.meta.url).href);
/** Made by the init hook, which has run by now. @type {{ ready: Promise<import('../src/lib/server/app.ts').App> }} */
const { ready } = /** @type {any} */ (globalThis).craftwarden;
const { env, close } = await ready;

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

/** Leaves one true protocol, host and client address in the headers. @param {import('node:http').IncomingMessage} req */
function settleForwarding(req) {
	const { headers } = req;
	const peer = plain(req.socket.remoteAddress);
	let client = peer;
	if (env.trustProxy.length && trusted(peer)) {
		const hops = String(headers['x-forwarded-for'] ?? '').split(',');
		for (const hop of hops.map((text) => plain(text.trim())).reverse()) {
			if (hop) client = hop;
			if (!hop || !trusted(hop)) break;
		}
		headers['x-forwarded-proto'] = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
		headers['x-forwarded-host'] ||= headers.host;
	} else {
		headers['x-forwarded-proto'] = 'http';
		headers['x-forwarded-host'] = headers.host;
	}
	headers['x-forwarded-for'] = client || '0.0.0.0';
}

/** @param {import('node:http').IncomingMessage} req */
const sane = (req) =>
	req.url?.startsWith('/') &&
	req.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length === 1;

/** What an answered request still sends is read and dropped for a moment, so that the answer gets through. @param {import('node:http').IncomingMessage} req */
function drain(req) {
	if (req.complete) return;
	req.removeAllListeners('data').resume();
	const timer = setTimeout(() => req.destroy(), DRAIN_MS);
	req.once('end', () => clearTimeout(timer));
}

const server = createServer(
	{
		headersTimeout: HEADERS_TIMEOUT_MS,
		requestTimeout: REQUEST_TIMEOUT_MS,
		connectionsCheckingInterval: 2_000,
		keepAliveTimeout: 10_000,
		maxHeaderSize: MAX_HEADER_BYTES
	},
	(req, res) => {
		for (const [name, value] of Object.entries(DEFENCE)) res.setHeader(name, value);
		if (!sane(req)) return void res.writeHead(400, { connection: 'close' }).end();
		settleForwarding(req);
		res.once('finish', () => drain(req));
		handler(req, res);
	}
);
/** A reader that takes nothing of its answer for this long is hung up on; one that just waits for it is not. */
server.setTimeout(REQUEST_TIMEOUT_MS, (socket) => {
	if (socket.writableLength > 0) socket.destroy();
	else socket.setTimeout(REQUEST_TIMEOUT_MS);
});
server.on('clientError', (_error, socket) => {
	if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
	else socket.destroy();
});

server.on('error', async (error) => {
	const busy = 'code' in error && error.code === 'EADDRINUSE';
	process.stderr.write(
		`craftwarden: ${busy ? `PORT: ${env.port} is in use by another program. Stop it or set another PORT.` : error.message}\n`
	);
	await close();
	process.exit(1);
});
server.listen(env.port, env.host, () => {
	const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
	const shown = ['0.0.0.0', '::', '127.0.0.1'].includes(env.host) ? 'localhost' : env.host;
	process.stdout.write(`Craftwarden ${env.version} listens on http://${shown}:${port}\n`);
	for (const { name, password } of env.newAccounts)
		process.stdout.write(`  user name ${name.padEnd(12)} password ${password}\n`);
	if (env.newAccounts.length)
		process.stdout.write(
			`These are shown once; they are kept in ${env.dataDir}/demo-credentials.json\n`
		);
});

let stopping = false;
async function shutdown() {
	if (stopping) return;
	stopping = true;
	setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
	server.close();
	await close(); // ends the live streams, which would keep the server open
	server.closeIdleConnections();
	setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS / 2).unref();
}
server.on('close', () => process.exit(0));
process.on('SIGTERM', shutdown);
process.on('SIGINT', shutdown);

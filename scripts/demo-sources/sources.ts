import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from '../demo-registry/listen.ts';
import { createScript, misbehave, send, type Misbehaviour } from '../demo-registry/misbehave.ts';
import { NOT_FOUND, SERVICES, type Answer, type World } from './answers.ts';
import type { InstallerFault } from './files.ts';

export type { Fault, Misbehaviour } from '../demo-registry/misbehave.ts';
export type { InstallerFault } from './files.ts';

type SourceSetting = keyof typeof SERVICES;

export type SourcesOptions = {
	host?: string;
	/** A free one by default; the next free one when it is taken. */
	port?: number;
	onRequest?: () => void;
	installerFault?: InstallerFault;
	/** Whether there are checksums in the Maven repositories; true by default. */
	sums?: boolean;
};

/** Where games, loaders and Java come from, over a real socket: one server for all, each under the name of its setting. */
export interface FakeSources {
	readonly url: string;
	/** The values for the settings. */
	readonly addresses: Record<SourceSetting, string>;
	/** Paths with their queries, oldest first. */
	readonly requests: { url: string; userAgent: string; status: number | null }[];
	/** What installers do that are downloaded from now on. */
	installersAre(fault: InstallerFault | null): void;
	/** From now on; replaces earlier scripts. `[]`: behave. */
	misbehave(script: Misbehaviour[]): void;
	/** Cuts every connection, too. */
	close(): Promise<void>;
}

/** Names that only libraries give themselves, and nobody. */
const ANONYMOUS = /^(?:$|node|undici|axios|got|curl|wget|python|go-http|java|okhttp|mozilla)/i;
const REQUESTS_MAX = 10_000;

export async function startSources(options: SourcesOptions = {}): Promise<FakeSources> {
	const { host = '127.0.0.1', port = 0, onRequest } = options;
	const requests: FakeSources['requests'] = [];
	const script = createScript();
	const world: World = {
		origin: '',
		installerFault: options.installerFault ?? null,
		sums: options.sums ?? true
	};
	const server = http.createServer((request, response) => {
		const { url = '/', headers } = request;
		const userAgent = headers['user-agent'] ?? '';
		const seen = { url, userAgent, status: null as number | null };
		if (requests.length < REQUESTS_MAX) requests.push(seen);
		onRequest?.();
		response.on('finish', () => (seen.status = response.statusCode));
		const reply = toReply(answer(url, userAgent, world));
		const fault = script.next(url);
		if (fault) misbehave(fault, reply, response);
		else send(response, reply);
	});
	await listen(server, port, host);
	const { address, port: taken } = server.address() as AddressInfo;
	world.origin = `http://${address}:${taken}`;
	const addresses = Object.fromEntries(
		Object.keys(SERVICES).map((setting) => [setting, `${world.origin}/${setting}`])
	) as FakeSources['addresses'];
	return {
		url: world.origin,
		addresses,
		requests,
		installersAre: (fault) => void (world.installerFault = fault),
		misbehave: script.set,
		async close() {
			const closed = once(server, 'close');
			server.close();
			server.closeAllConnections();
			await closed;
		}
	};
}

function answer(url: string, userAgent: string, world: World): Answer {
	if (ANONYMOUS.test(userAgent))
		return { status: 403, type: 'text/plain', body: 'Send a User-Agent that names your software.' };
	const at = URL.parse(`http://sources${url}`);
	const [, setting = '', path = ''] = /^\/([^/]+)\/(.*)$/.exec(at?.pathname ?? '') ?? [];
	if (!at || !Object.hasOwn(SERVICES, setting)) return NOT_FOUND;
	return SERVICES[setting as SourceSetting](
		{ path: decodeURIComponent(path), query: at.searchParams },
		world
	);
}

const toReply = ({ status, type, body }: Answer) => ({
	status,
	headers: { 'content-type': type },
	body: Buffer.isBuffer(body)
		? body
		: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
});

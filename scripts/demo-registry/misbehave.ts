import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** What the registry would answer. */
export type Reply = { status: number; headers: Record<string, string>; body: Buffer };

/** One thing that goes wrong. `body` is always the true body. */
export type Fault =
	/** Another answer altogether. */
	| { answer: { status?: number; headers?: Record<string, string>; body?: string | Buffer } }
	/** The JSON, changed. */
	| { change: (json: never) => unknown }
	/** The bytes, changed; the length is that of the changed ones unless `lies`, then the true one's. */
	| { bytes: (body: Buffer) => Buffer; lies?: boolean; chunked?: boolean }
	| { redirect: string; status?: number }
	/** Hangs up: at once, or after this many bytes of the body. */
	| { cut: 'at-once' | number }
	/** Stops sending but stays connected: without an answer, or after this many bytes of the body. */
	| { stall: 'at-once' | number }
	/** This many bytes at a time. */
	| { drip: number; everyMs: number }
	/** Inflates to this many bytes of JSON. */
	| { gzipBomb: number };

export type Misbehaviour = Fault & {
	/** Path with query; every request unless told. */
	on?: RegExp;
	/** Once unless told. */
	times?: number;
};

/** The misbehaviours that are still to come; the first that fits is used up. */
export function createScript() {
	let rules: { fault: Misbehaviour; left: number }[] = [];
	return {
		set(faults: Misbehaviour[]) {
			rules = faults.map((fault) => ({ fault, left: fault.times ?? 1 }));
		},
		next(url: string): Fault | null {
			const rule = rules.find(({ fault, left }) => left > 0 && (fault.on ?? /^/).test(url));
			if (!rule) return null;
			rule.left--;
			return rule.fault;
		}
	};
}

/** Sends the reply with its fault. */
export function misbehave(fault: Fault, reply: Reply, response: ServerResponse): void {
	if ('answer' in fault) {
		const { status = 200, headers = {}, body = '' } = fault.answer;
		return send(response, { status, headers, body: Buffer.from(body) });
	}
	if ('change' in fault) {
		const json = fault.change(JSON.parse(reply.body.toString()) as never);
		return send(response, { ...reply, body: Buffer.from(JSON.stringify(json)) });
	}
	if ('bytes' in fault) {
		const body = fault.bytes(reply.body);
		const length = fault.lies ? reply.body.length : body.length;
		const headers = { ...reply.headers };
		if (!fault.chunked) headers['content-length'] = String(length);
		response.strictContentLength = false;
		response.writeHead(reply.status, headers);
		return void response.end(body);
	}
	if ('redirect' in fault)
		return send(response, {
			status: fault.status ?? 302,
			headers: { location: fault.redirect },
			body: Buffer.alloc(0)
		});
	if ('gzipBomb' in fault) return bomb(response, fault.gzipBomb);
	if ('drip' in fault) return drip(response, reply, fault.drip, fault.everyMs);
	const after = 'cut' in fault ? fault.cut : fault.stall;
	const then = 'cut' in fault ? () => response.destroy() : () => {};
	if (after === 'at-once') return then();
	response.writeHead(reply.status, {
		...reply.headers,
		'content-length': String(reply.body.length)
	});
	response.write(reply.body.subarray(0, after), then);
}

export function send(response: ServerResponse, { status, headers, body }: Reply): void {
	response.writeHead(status, { 'content-length': String(body.length), ...headers });
	response.end(body);
}

function bomb(response: ServerResponse, bytes: number) {
	const body = gzipSync(Buffer.alloc(bytes, ' '), { level: 1 });
	send(response, {
		status: 200,
		headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
		body
	});
}

function drip(
	response: ServerResponse,
	{ status, headers, body }: Reply,
	bytes: number,
	ms: number
) {
	response.writeHead(status, { ...headers, 'content-length': String(body.length) });
	response.flushHeaders();
	let at = 0;
	const timer = setInterval(() => {
		response.write(body.subarray(at, (at += bytes)));
		if (at >= body.length) response.end();
	}, ms);
	response.on('close', () => clearInterval(timer));
	response.on('finish', () => clearInterval(timer));
}

import { deadline } from '#core/deadline';
import { parseJson } from '#core/files';
import { AppError } from '#core/errors';
import { packet, statusRequest, stringOf, type Packet } from './packets.ts';
import { openWire, type Wire } from './wire.ts';
import { plainText } from '#minecraft/text';

export type Pong = {
	/** What the server calls its version, e.g. `1.21.1` or `Paper 1.21.1`. */
	version: string | null;
	protocol: number | null;
	/** Plain text, may have two lines. */
	motd: string | null;
	online: number | null;
	max: number | null;
	latencyMs: number;
};

export type PingTarget = {
	host: string;
	port: number;
	/** For everything, connecting included; 5 s by default. */
	timeoutMs?: number;
	signal?: AbortSignal;
};

const STATUS = 0;
const ECHO = 1;
const ECHO_PAYLOAD = Buffer.from('craftwar');
/** The echo is optional: a server that sends none must not make the probe slow. */
const ECHO_MS = 500;
/** What needs longer hangs; less is only slow. */
const TIMEOUT_MS = 5_000;
const VERSION_MAX_CHARS = 80;
const MOTD_MAX_CHARS = 500;
const INT_MAX = 0x7fffffff;

/**
 * Server List Ping (1.7 and later). Never resolves SRV records. AppError `offline` (code `no-status`: the port is
 * open, but the status is not answered, as while the world loads and with `enable-status=false`), `timeout`, or
 * `upstream` for an invalid answer.
 */
export async function ping({
	host,
	port,
	timeoutMs = TIMEOUT_MS,
	signal
}: PingTarget): Promise<Pong> {
	signal?.throwIfAborted();
	const began = performance.now();
	const wire = openWire(host, port);
	const late = () => {
		throw new AppError('timeout', `The server at ${host}:${port} did not answer the ping in time.`);
	};
	try {
		const limit = { ms: timeoutMs, signal };
		const status = await deadline(limit, () => askStatus(wire, { host, port }), late);
		const leftMs = Math.max(0, timeoutMs - since(began));
		const echoMs = await echo(wire, { ms: Math.min(ECHO_MS, leftMs), signal });
		return { ...status, latencyMs: echoMs ?? status.latencyMs };
	} finally {
		wire.close();
	}
}

async function askStatus(wire: Wire, { host, port }: PingTarget): Promise<Pong> {
	const at = `${host}:${port}`;
	if (!(await wire.connected())) throw unreachable(at, wire.failure);
	const asked = performance.now();
	wire.write(statusRequest(host, port));
	const answer = await wire.read();
	const latencyMs = since(asked);
	const status = answer && readStatus(answer);
	if (!status) throw wire.received ? nonsense(at, wire.failure) : noStatus(at, wire.failure);
	return { ...status, latencyMs };
}

/**
 * Round trip of the echo packet; null when it is not answered correctly: the status has arrived and must not be lost.
 */
async function echo(
	wire: Wire,
	limit: { ms: number; signal: AbortSignal | undefined }
): Promise<number | null> {
	const sent = performance.now();
	wire.write(packet(ECHO, ECHO_PAYLOAD));
	const answer = await deadline(limit, wire.read, () => null);
	return answer?.id === ECHO && ECHO_PAYLOAD.equals(answer.data) ? since(sent) : null;
}

/** The valid fields; null when it is not a status at all. */
function readStatus({ id, data }: Packet): Omit<Pong, 'latencyMs'> | null {
	const json = id === STATUS ? stringOf(data) : null;
	const record = json === null ? null : object(parseJson(json));
	if (!record) return null;
	const version = object(record.version);
	const players = object(record.players);
	const name = version?.name;
	return {
		version: typeof name === 'string' ? plainText(name, VERSION_MAX_CHARS) || null : null,
		protocol: integer(version?.protocol, -INT_MAX),
		motd: plainText(record.description, MOTD_MAX_CHARS) || null,
		online: integer(players?.online, 0),
		max: integer(players?.max, 0)
	};
}

const object = (value: unknown) =>
	typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Record<string, unknown>)
		: null;

const integer = (value: unknown, min: number) =>
	Number.isInteger(value) && (value as number) >= min && (value as number) <= INT_MAX
		? (value as number)
		: null;

/** Milliseconds with one decimal. */
const since = (start: number) => Math.round((performance.now() - start) * 10) / 10;

const unreachable = (at: string, cause: unknown) =>
	new AppError('offline', `Nothing answers at ${at}. Is the server running?`, { cause });

const noStatus = (at: string, cause: unknown) =>
	new AppError(
		'offline',
		`The port ${at} is open, but the status is not answered: the world is still loading, or enable-status is off in server.properties.`,
		{ code: 'no-status', cause }
	);

const nonsense = (at: string, cause: unknown) =>
	new AppError('upstream', `What answers at ${at} is not a Minecraft server.`, { cause });

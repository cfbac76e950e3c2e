import { createHash, timingSafeEqual } from 'node:crypto';
import type { OperationSummary } from '#schemas/operation';
import { ServerState, type Status } from '#schemas/status';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { AppEvent, Findings } from '#events';
import { toText, type Family, type Labels } from './text.ts';

/** The last known values, for Prometheus. A scrape never queries anything. */
export interface Exporter {
	/**
	 * The text for a request with this `Authorization` header. AppError `not-found` while no token is set,
	 * `unauthorized` for none or a wrong one.
	 */
	read(authorization: string | null): string;
	close(): void;
}

type Measured = {
	state: ServerState;
	sample: {
		t: number;
		ramBytes: number | null;
		cpuSeconds: number | null;
		players: number | null;
		tps: number | null;
		mspt: number | null;
	} | null;
};

type Deps = {
	/** Null: nobody may read anything. */
	token: string | null;
	version: string;
	/** What the sampler saw last. */
	measured: () => Measured | null;
	subscribe: (listener: (fact: AppEvent) => void) => () => void;
	clock: Clock;
};

/** Older measurements say nothing about now: they come every 15 s while the server runs. */
const FRESH_MS = 60_000;
const DEFAULT_PORT = '25565';
/** Operations that have ended are counted once, however often their end is announced. */
const REMEMBERED_MAX = 200;

export function createExporter(deps: Deps): Exporter {
	const { token, clock } = deps;
	const known: Known = { status: null, findings: null, operations: new Map() };
	const counted = new Set<string>();

	function count({ id, kind, state }: OperationSummary) {
		if (state === 'running' || counted.has(id)) return;
		counted.add(id);
		if (counted.size > REMEMBERED_MAX) counted.delete(counted.values().next().value!);
		const key = `${kind} ${state}`;
		const before = known.operations.get(key)?.value ?? 0;
		known.operations.set(key, { labels: { type: kind, result: state }, value: before + 1 });
	}

	const unsubscribe = token
		? deps.subscribe((fact) => {
				if (fact.type === 'status') known.status = fact.status;
				else if (fact.type === 'findings') known.findings = fact.findings;
				else if (fact.type === 'operation') count(fact.summary);
			})
		: () => {};

	return {
		read(authorization) {
			if (!token) throw new AppError('not-found', 'There is nothing at this address.');
			if (!isBearer(authorization, token))
				throw new AppError('unauthorized', 'Send METRICS_TOKEN as a Bearer token.');
			return toText(families(deps, known, clock.now().getTime()));
		},
		close: unsubscribe
	};
}

type Known = {
	status: Status | null;
	findings: Findings | null;
	operations: Map<string, { labels: Labels; value: number }>;
};

/** Takes as long for a wrong token as for the right one. */
function isBearer(authorization: string | null, token: string) {
	const sent = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(sent), digest(token));
}

function families({ version, measured }: Deps, known: Known, nowMs: number): Family[] {
	const { state = null, sample: last = null } = measured() ?? {};
	const sample = last && nowMs - last.t < FRESH_MS ? last : null;
	const ended = state === 'stopped' || state === 'crashed';
	const { status } = known;
	const answer =
		!ended && status && nowMs - Date.parse(status.checkedAt) < FRESH_MS ? status : null;
	const newest = known.findings?.backups?.newest;
	const mods = known.findings?.mods ?? null;
	const online = answer?.players.online ?? sample?.players ?? null;
	const labels = status ? labelsOf(status) : {};
	const gauge = (name: string, help: string, value: number | null, own?: Labels): Family => ({
		...{ name, type: 'gauge', help },
		points: [{ ...(own && { labels: own }), value }]
	});
	const healthy = answer ? Number(answer.online) : ended ? 0 : null;
	return [
		gauge('minecraft_status_healthy', 'Whether the server answers.', healthy, labels),
		gauge(
			'minecraft_status_response_time_seconds',
			'How long it took to answer.',
			answer?.latencyMs == null ? null : answer.latencyMs / 1000,
			labels
		),
		gauge('minecraft_status_players_online_count', 'Players online.', online, labels),
		gauge(
			'minecraft_status_players_max_count',
			'Players it has room for.',
			answer?.players.max ?? null,
			labels
		),
		gauge('minecraft_players_online', 'Players online.', online),
		gauge('minecraft_tps', 'Ticks per second.', sample?.tps ?? null),
		gauge('minecraft_mspt', 'Milliseconds per tick.', sample?.mspt ?? null, { type: 'mean' }),
		{
			...{ name: 'craftwarden_server_state', type: 'gauge' },
			help: 'The state of the server: 1 for the one it is in.',
			points: ServerState.options.map((one) => ({
				labels: { state: one },
				value: state && Number(one === state)
			}))
		},
		gauge('craftwarden_server_memory_bytes', 'Resident memory.', sample?.ramBytes ?? null),
		{
			...{ name: 'craftwarden_server_cpu_seconds_total', type: 'counter' },
			help: 'CPU time used.',
			points: [{ value: sample?.cpuSeconds ?? null }]
		},
		gauge(
			'craftwarden_backup_last_success_timestamp_seconds',
			'When the newest good backup was made.',
			newest ? Date.parse(newest.at) / 1000 : null
		),
		gauge('craftwarden_backup_last_success_bytes', 'Size of that backup.', newest?.bytes ?? null),
		{
			...{ name: 'craftwarden_operations_total', type: 'counter' },
			help: 'Operations that ended since the dashboard started.',
			points: [...known.operations.values()]
		},
		{
			...{ name: 'craftwarden_mods', type: 'gauge' },
			help: 'Installed mods.',
			points: (['enabled', 'disabled'] as const).map((one) => ({
				labels: { state: one },
				value: mods && mods[one]
			}))
		},
		gauge(
			'craftwarden_mod_updates_available',
			'Mods with a newer version in the registry.',
			known.findings?.updates?.length ?? null
		),
		{
			...{ name: 'craftwarden_disk_free_bytes', type: 'gauge' },
			help: 'Room on each disk that is used.',
			points: (known.findings?.disks ?? []).map(({ dir, freeBytes }) => ({
				labels: { dir },
				value: freeBytes
			}))
		},
		gauge('craftwarden_info', 'The version of Craftwarden.', 1, { version })
	];
}

/** As mc-monitor names them, so that its dashboards work. */
function labelsOf({ address, version }: Status): Labels {
	const { host = address, port = DEFAULT_PORT } =
		/^(?<host>\[.*\]|[^:]*)(?::(?<port>\d+))?$/.exec(address)?.groups ?? {};
	return {
		server_host: host,
		server_port: port,
		server_edition: 'java',
		server_version: version ?? ''
	};
}

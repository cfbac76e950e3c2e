const NEVER_STARTED = {
	Restart: 'no',
	TimeoutStopUSec: '1min 30s',
	MainPID: '0',
	Result: 'success',
	NRestarts: '0',
	ExecMainStartTimestamp: '',
	ExecMainExitTimestamp: '',
	ExecMainCode: '0',
	ExecMainStatus: '0',
	MemoryCurrent: '[not set]',
	CPUUsageNSec: '[not set]',
	MemoryMax: 'infinity',
	LoadState: 'loaded',
	ActiveState: 'inactive',
	FreezerState: 'running',
	SubState: 'dead',
	InvocationID: ''
};

/**
 * What `systemctl show --timestamp=us+utc` of systemd 252 printed about a unit in each state, as recorded from a private
 * `systemd --user`; ids shortened.
 */
export const RECORDED = {
	'never started': { ...NEVER_STARTED },
	running: {
		...NEVER_STARTED,
		MainPID: '4939',
		ExecMainStartTimestamp: 'Sun 2026-11-22 20:31:30.250000 UTC',
		MemoryCurrent: '417792',
		ActiveState: 'active',
		SubState: 'running',
		InvocationID: '9ed71a98'
	},
	stopped: { ...NEVER_STARTED },
	'exit 3': {
		...NEVER_STARTED,
		Result: 'exit-code',
		ExecMainStartTimestamp: 'Sun 2026-11-22 20:31:34.250000 UTC',
		ExecMainExitTimestamp: 'Sun 2026-11-22 20:31:34.250000 UTC',
		ExecMainCode: '1',
		ExecMainStatus: '3',
		ActiveState: 'failed',
		SubState: 'failed',
		InvocationID: 'f0d757b2'
	},
	killed: {
		...NEVER_STARTED,
		Result: 'signal',
		ExecMainStartTimestamp: 'Sun 2026-11-22 20:31:35.250000 UTC',
		ExecMainExitTimestamp: 'Sun 2026-11-22 20:31:35.250000 UTC',
		ExecMainCode: '2',
		ExecMainStatus: '9',
		ActiveState: 'failed',
		SubState: 'failed',
		InvocationID: '7407d0e6'
	},
	core: {
		...NEVER_STARTED,
		Result: 'signal',
		ExecMainStartTimestamp: 'Sun 2026-11-22 20:31:36.250000 UTC',
		ExecMainExitTimestamp: 'Sun 2026-11-22 20:31:36.250000 UTC',
		ExecMainCode: '2',
		ExecMainStatus: '11',
		ActiveState: 'failed',
		SubState: 'failed',
		InvocationID: 'b2149988'
	},
	timeout: {
		...NEVER_STARTED,
		TimeoutStopUSec: '500ms',
		Result: 'timeout',
		ExecMainStartTimestamp: 'Sun 2026-11-22 20:31:38.250000 UTC',
		ExecMainExitTimestamp: 'Sun 2026-11-22 20:31:39.250000 UTC',
		ExecMainCode: '2',
		ExecMainStatus: '9',
		ActiveState: 'failed',
		SubState: 'failed',
		InvocationID: '6786c52c'
	},
	'auto-restart': {
		...NEVER_STARTED,
		Restart: 'always',
		Result: 'exit-code',
		ExecMainStartTimestamp: 'Sun 2026-11-22 20:31:40.250000 UTC',
		ExecMainExitTimestamp: 'Sun 2026-11-22 20:31:40.250000 UTC',
		ExecMainCode: '1',
		ExecMainStatus: '7',
		ActiveState: 'activating',
		SubState: 'auto-restart',
		InvocationID: '224e3d1a'
	},
	restarted: {
		...NEVER_STARTED,
		Restart: 'always',
		MainPID: '5935',
		NRestarts: '1',
		ExecMainStartTimestamp: 'Sun 2026-11-22 20:31:42.250000 UTC',
		MemoryCurrent: '475136',
		ActiveState: 'active',
		SubState: 'running',
		InvocationID: '2aaf9458'
	},
	'start limit': {
		...NEVER_STARTED,
		Restart: 'always',
		Result: 'exit-code',
		NRestarts: '2',
		ExecMainStartTimestamp: 'Sun 2026-11-22 20:31:43.250000 UTC',
		ExecMainExitTimestamp: 'Sun 2026-11-22 20:31:43.250000 UTC',
		ExecMainCode: '1',
		ExecMainStatus: '7',
		ActiveState: 'failed',
		SubState: 'failed',
		InvocationID: 'a6b38ec1'
	},
	activating: {
		...NEVER_STARTED,
		MemoryCurrent: '229376',
		ActiveState: 'activating',
		SubState: 'start-pre',
		InvocationID: '82601d56'
	},
	'not found': { ...NEVER_STARTED, LoadState: 'not-found' },
	masked: { ...NEVER_STARTED, LoadState: 'masked' }
} satisfies Record<string, Record<string, string>>;

/** As the program prints it. */
export const printed = (unit: Record<string, string>) =>
	Object.entries(unit)
		.map(([name, value]) => `${name}=${value}\n`)
		.join('');

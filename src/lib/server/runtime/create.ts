import { createKeeperRuntime } from './keeper/index.ts';
import { createProcessRuntime } from './process/index.ts';
import type { Runtime } from './runtime.ts';
import { createSystemdRuntime, type SystemdScope } from './systemd/index.ts';

type Choice =
	| { kind: 'process' }
	| { kind: 'keeper'; dir: string }
	| { kind: 'systemd'; unit: string; scope: SystemdScope };

/** What starts, watches and ends the game: configuration, never input. */
export function createRuntime(
	choice: Choice,
	deps: Parameters<typeof createProcessRuntime>[0]
): Runtime {
	const { clock, environment } = deps;
	if (choice.kind === 'keeper') return createKeeperRuntime({ dir: choice.dir, clock });
	if (choice.kind === 'systemd') return createSystemdRuntime({ ...choice, clock, environment });
	return createProcessRuntime(deps);
}

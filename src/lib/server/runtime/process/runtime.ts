import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { markOf, processId } from '#core/process';
import { readOutput } from './console-output.ts';
import { createProcessControl, type ProcessControlDeps, type ServerProcess } from './process.ts';
import { createUsage } from './usage.ts';
import { causeOfExit } from '../exit.ts';
import type { Exit, Run, Runtime, Startable } from '../runtime.ts';
import { watchByAsking } from '../watch.ts';

type Deps = ProcessControlDeps & { startable: () => Promise<Startable> };

/** Runs the server as a process that we start ourselves, or that somebody started by hand in its folder. */
export function createProcessRuntime(deps: Deps): Runtime {
	const { clock, command } = deps;
	const control = createProcessControl(deps);
	const usage = createUsage({ clock });
	let lastExit: Exit | null = null;

	const state: Runtime['state'] = async () => {
		const found = await control.find();
		return {
			phase: found ? 'running' : 'stopped',
			wanted: 'unknown',
			run: found && runOf(found),
			lastExit,
			restarts: null,
			restartsItself: false,
			observedAt: now(clock)
		};
	};
	const signal = (run: Run, name: 'SIGTERM' | 'SIGKILL') => {
		const mark = markOf(run.id);
		if (mark) control.signal({ ...mark, ours: run.ours }, name);
	};
	const ended = async (run: Run, abort?: AbortSignal): Promise<Exit> => {
		const mark = markOf(run.id);
		const status = mark ? await control.ended(mark, abort) : { code: null, signal: null };
		const rebooted = mark !== null && mark.bootId !== control.bootId;
		const cause = rebooted ? 'host-restart' : causeOfExit(status);
		return (lastExit = { ...status, at: now(clock), cause });
	};

	return {
		kind: 'process',
		can: { kill: true },
		state,
		watch: (onChange) => watchByAsking(state, onChange, clock),
		startable: deps.startable,
		async start(mark) {
			const argv = await command();
			if (!argv) throw new AppError('conflict', 'No start command is known.');
			return runOf(await control.launch({ argv, mark }));
		},
		async stop(run) {
			if (run) signal(run, 'SIGTERM');
		},
		async terminate(run) {
			signal(run, 'SIGTERM');
		},
		async kill(run) {
			signal(run, 'SIGKILL');
		},
		async alive(run) {
			const mark = markOf(run.id);
			return mark !== null && control.alive(mark);
		},
		ended,
		output: (since) => readOutput(control.outputFile, since),
		async usage() {
			const found = await control.find();
			if (!found) return null;
			const { cpuPercent, cpuSeconds, ramBytes } = usage.read(found);
			return { cpu: cpuPercent, cpuSeconds, memory: ramBytes, limit: null, at: now(clock) };
		},
		close: control.close
	};
}

const runOf = ({ startedAt, pid, ours, ...mark }: ServerProcess): Run => ({
	id: processId({ ...mark, pid }),
	...{ startedAt, pid, ours }
});

const now = (clock: Clock) => clock.now().toISOString();

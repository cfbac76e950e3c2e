import type { Clock } from '#core/clock';
import { pids, readProc, readStat, TICK_MS, type ProcStat } from '#core/process';

/** What the game's processes use, from `/proc`. */
export interface Usage {
	/**
	 * RAM: resident memory of the process and all its descendants. CPU: 100 is one core, since the last reading of
	 * the same process, so null the first time. Both are null when it is gone or has been replaced. Takes a few ms.
	 */
	read(process: { pid: number; startTicks: number }): UsageReading;
}
export type UsageReading = {
	ramBytes: number | null;
	cpuPercent: number | null;
	/** Since we first looked at the process, plus what it had used by then. */
	cpuSeconds: number | null;
};

/** Shorter intervals are mostly rounding error. */
const STRETCH_MIN_MS = 500;
const UNKNOWN: UsageReading = { ramBytes: null, cpuPercent: null, cpuSeconds: null };

type Tree = Map<string, ProcStat>;
type Cpu = { cpuPercent: number | null; cpuSeconds: number };
type Before = Cpu & { root: string; tree: Tree; atMs: number };

export function createUsage({ clock, proc = '/proc' }: { clock: Clock; proc?: string }): Usage {
	let before: Before | null = null;

	function treeOf(root: ProcStat): Tree {
		const children = new Map<number, ProcStat[]>();
		for (const pid of pids(proc)) {
			const found = readStat(pid, proc);
			if (!found || found.ended) continue;
			const siblings = children.get(found.parent);
			if (siblings) siblings.push(found);
			else children.set(found.parent, [found]);
		}
		const tree: Tree = new Map();
		const open = [root];
		for (let one = open.pop(); one; one = open.pop()) {
			if (tree.has(nameOf(one))) continue;
			tree.set(nameOf(one), one);
			open.push(...(children.get(one.pid) ?? []));
		}
		return tree;
	}

	/** Processes that have ended meanwhile are unknown; new ones count from their start. */
	function cpu(root: string, tree: Tree): Cpu {
		const atMs = clock.monotonicMs();
		const last = before?.root === root ? before : null;
		if (last && atMs - last.atMs < STRETCH_MIN_MS) return last;
		let ticks = 0;
		for (const [name, one] of tree)
			ticks += Math.max(0, one.cpuTicks - (last?.tree.get(name)?.cpuTicks ?? 0));
		const percent = last && Math.round(((ticks * TICK_MS) / (atMs - last.atMs)) * 1000) / 10;
		const cpuSeconds = (last?.cpuSeconds ?? 0) + (ticks * TICK_MS) / 1000;
		before = { root, tree, atMs, cpuPercent: percent, cpuSeconds };
		return before;
	}

	return {
		read({ pid, startTicks }) {
			const root = readStat(pid, proc);
			if (!root || root.ended || root.startTicks !== startTicks) return UNKNOWN;
			const tree = treeOf(root);
			const sizes = [...tree.values()].flatMap(({ pid }) => {
				const status = readProc(`${proc}/${pid}/status`);
				return status === null ? [] : [residentBytes(status) ?? 0];
			});
			const ramBytes = sizes.reduce((sum, size) => sum + size, 0);
			const { cpuPercent, cpuSeconds } = cpu(nameOf(root), tree);
			return { ramBytes: ramBytes || null, cpuPercent, cpuSeconds };
		}
	};
}

/** Pids are reused; together with the start time they are unique. */
const nameOf = ({ pid, startTicks }: ProcStat) => `${pid} ${startTicks}`;

/** `VmRSS` of `/proc/<pid>/status`, whatever the page size; null when the process has no memory. */
function residentBytes(status: string): number | null {
	const found = /^VmRSS:\s*(\d+) kB$/m.exec(status);
	return found ? Number(found[1]) * 1024 : null;
}

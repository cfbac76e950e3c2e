import { readdir, readFile } from 'node:fs/promises';

const NAMES = ['cron', 'crond', 'fcron', 'bcron-start', 'busybox'];
const CRON_COMMAND = /(?:^|[/\0])(?:f|b)?crond?(?:-start)?(?:\0|$)/;

/** Why nothing in the crontab ever runs; null when a cron daemon is running, or it cannot be determined. */
export async function cronDaemonProblem(proc = '/proc'): Promise<string | null> {
	const pids = await readdir(proc).then(
		(names) => names.filter((name) => /^\d+$/.test(name)),
		() => []
	);
	if (!pids.length) return null;
	for (const pid of pids) {
		const name = await text(`${proc}/${pid}/comm`);
		if (!NAMES.includes(name.trim())) continue;
		if (name.trim() !== 'busybox' || CRON_COMMAND.test(await text(`${proc}/${pid}/cmdline`)))
			return null;
	}
	return 'No cron daemon is running on this machine, so no task starts at its time. Start it (for instance: systemctl enable --now cron), or set SCHEDULER=embedded.';
}

const text = (file: string) => readFile(file, 'utf8').catch(() => ''); // it has ended, or is not visible to us

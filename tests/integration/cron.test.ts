import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { run } from '#core/exec';

const PROGRAM = fileURLToPath(new URL('kit/cron-program.ts', import.meta.url));
/** cron's spool and pid file are ours alone in there: nobody's crontab is touched. */
const APART = `
set -e
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/spool/cron/crontabs
chgrp crontab /var/spool/cron/crontabs
chmod 1730 /var/spool/cron/crontabs
exec "$0" "$1"`;

const able = () => {
	try {
		const check = 'mount -t tmpfs tmpfs /run && command -v cron && command -v crontab';
		execFileSync('unshare', ['-m', '/bin/sh', '-c', check], { stdio: 'ignore' });
		return true;
	} catch {
		return false;
	}
};

test.skipIf(!able())(
	'the real cron daemon runs a task of each type, and foreign lines stay byte for byte (needs root and cron)',
	{ timeout: 400_000 },
	async () => {
		const { stdout } = await run(
			'unshare',
			['-m', '/bin/sh', '-c', APART, process.execPath, PROGRAM],
			{ timeoutMs: 390_000, env: process.env }
		);
		expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
			runs: {
				say: { result: 'done' },
				backup: { result: 'done' },
				'snapshot-prune': { result: 'done' }
			},
			said: true,
			never: false,
			backups: ['scheduled complete'],
			foreign: true
		});
	}
);

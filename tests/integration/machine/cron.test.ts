import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { run } from '#core/exec';

const program = (name: string) => fileURLToPath(new URL(`../kit/${name}.ts`, import.meta.url));
/** cron's spool and pid file are private in there: nobody's crontab is touched. */
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
			['-m', '/bin/sh', '-c', APART, process.execPath, program('cron-program')],
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
			printed: ['', '', '', ''],
			output: 'Announced: 100% sure, $(id) #1\n',
			foreign: true
		});
	}
);

test.skipIf(!able())(
	'a table with bytes that the real crontab command shows otherwise is not written (needs root and cron)',
	async () => {
		const { stdout } = await run(
			'unshare',
			['-m', '/bin/sh', '-c', APART, process.execPath, program('crontab-program')],
			{ env: process.env }
		);
		expect(JSON.parse(stdout)).toMatchObject({
			'carriage return': { refused: true, kept: true },
			backspace: { refused: true, kept: true },
			// Some versions display it unchanged.
			'form feed': { kept: true },
			'only letters': { refused: false, kept: true }
		});
	}
);

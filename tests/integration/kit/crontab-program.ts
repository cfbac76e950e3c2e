import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '#core/exec';
import { createUserCrontab } from '#storage/crontab';

/** Run in a mount namespace of its own, where cron's spool is empty: tries to add a line to tables of all kinds. */
const SPOOL = '/var/spool/cron/crontabs';
const TABLES = {
	'carriage return': '# theirs\r\n',
	backspace: '# theirs\b\n',
	'form feed': '# theirs\f\n',
	'only letters': "0 1 * * * grep '\\bfoo' x\n"
};

const table = createUserCrontab({ run, environment: process.env, dir: tmpdir() });
const stored = async () => {
	const [name] = await readdir(SPOOL);
	return readFile(path.join(SPOOL, name ?? ''), 'latin1');
};

const came: Record<string, unknown> = {};
for (const [name, text] of Object.entries(TABLES)) {
	await run('crontab', ['-'], { input: text });
	const listed = await table.read();
	const refused = await table.write(`${listed}0 2 * * * true\n`, listed).then(
		() => false,
		() => true
	);
	came[name] = { refused, kept: (await stored()).includes(text) };
}
console.log(JSON.stringify(came));

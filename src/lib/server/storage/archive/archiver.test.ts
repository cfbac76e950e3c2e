import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createArchiver } from './archiver.ts';
import type { Job, Message } from './jobs.ts';
import { tempDir } from '../../../../../tests/fakes/archives/archive-kit.ts';

const JOB: Job = { kind: 'measure', serverDir: '/', roots: [], never: [] };

/** Its process says how the job went, and then hangs, as Node can when it is to exit. */
function hanging(message: Message) {
	const dir = tempDir();
	const [program, pid] = [path.join(dir, 'program.mjs'), path.join(dir, 'pid')];
	const lines = [
		"import { writeFileSync } from 'node:fs';",
		"process.once('message', () => {",
		`writeFileSync(${JSON.stringify(pid)}, String(process.pid));`,
		`process.send(${JSON.stringify(message)}, () => {`,
		'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }); });'
	];
	writeFileSync(program, lines.join('\n'));
	return {
		archiver: createArchiver({ program, cacheDir: null }),
		probe: () => process.kill(Number(readFileSync(pid, 'utf8')), 0)
	};
}

test('a job is over, and its process gone, when it is done, even if the process cannot exit', async () => {
	const { archiver, probe } = hanging({ type: 'done', result: { bytes: 7 } });
	expect(await archiver.run(JOB)).toEqual({ bytes: 7 });
	expect(probe).toThrow(/ESRCH/);
});

test('so it is when it has failed', async () => {
	const { archiver, probe } = hanging({
		...{ type: 'failed', message: 'It is damaged.', bad: true, code: null }
	});
	await expect(archiver.run(JOB)).rejects.toThrow('It is damaged.');
	expect(probe).toThrow(/ESRCH/);
});

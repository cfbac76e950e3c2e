import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Operation } from '#schemas/operation';
import { serverDirOf } from '../fakes/software-desk.ts';
import { EXPLORE_LIMIT_MS, explore, obstacle, type Fault, type Outcome } from './explore.ts';
import { deskAt, FILES, KINDS } from './programs/import-desk.ts';
import { restarted } from './restarted.ts';

const PROGRAM = path.resolve('tests/faults/programs/import-pack.ts');
const why = obstacle();
const FAULTS: Fault[] = ['SIGKILL', 'ENOSPC', 'ENOSPC from then on', 'EIO'];
const FEWER: Fault[] = ['SIGKILL', 'ENOSPC'];

type Kind = (typeof KINDS)[number];

async function prepare(dir: string, kind: Kind) {
	await mkdir(serverDirOf(dir), { recursive: true });
	if (kind === 'bad') await writeFile(path.join(dir, 'bad'), '');
}

const filesOf = async (dir: string) =>
	(await readdir(dir, { recursive: true, withFileTypes: true }))
		.filter((one) => one.isFile())
		.map((one) => path.relative(dir, path.join(one.parentPath, one.name)))
		.sort();

async function restart(dir: string) {
	const { operation, opened } = await restarted(dir, (kit) =>
		deskAt(dir, kit.operations, kit.clock)
	);
	const { imported, software, dataDir } = opened;
	await software.tidy();
	const packs = path.join(dataDir, 'imports');
	expect(existsSync(packs) ? await readdir(packs) : []).toEqual([]);
	return { operation, record: (await imported.read()).pack };
}

async function check(kind: Kind, dir: string, outcome: Outcome) {
	const { operation, record } = await restart(dir);
	const files = await filesOf(serverDirOf(dir));
	const isThere = files.length > 0;
	const about = aboutOf(operation, outcome);
	const names = await readdir(serverDirOf(dir));
	expect(files, about).toEqual(isThere ? FILES[kind] : []);
	expect(names, about).toHaveLength(isThere ? namesIn(kind) : 0);
	expect(existsSync(path.join(dir, 'running')), about).toBe(isThere);
	// A disk that refused the last note of all leaves a server that runs, and says so.
	if (operation?.state !== 'succeeded' && isThere)
		expect(about).toMatch(/rollback skipped|last steps are not recorded/);
	else expect(operation?.state === 'succeeded', about).toBe(isThere);
	// The record cannot be rolled back then either; it names files that are not there, and the next import replaces it.
	if (isThere || !outcome.fault.endsWith('from then on'))
		expect(record !== null, about).toBe(isThere && kind === 'import');
}

const namesIn = (kind: Kind) => new Set(FILES[kind].map((name) => name.split('/')[0])).size;

function aboutOf(operation: Operation | null, outcome: Outcome) {
	const ended = outcome.lines.at(-1);
	const steps = operation?.steps.map(({ id, status }) => `${id} ${status}`).join(', ');
	return `${operation?.state}, it had said ${ended}: ${steps}; ${operation?.cause?.message}`;
}

describe.skipIf(why)(
	`a server out of nothing${why ? ` (${why})` : ''}`,
	{ timeout: EXPLORE_LIMIT_MS },
	() => {
		test.each(KINDS)(
			'%s killed or refused at any call ends with an empty folder or a whole server',
			async (kind) => {
				const hits = await explore({
					program: PROGRAM,
					args: (dir) => [dir, kind],
					prepare: (dir) => prepare(dir, kind),
					faults: kind === 'import' ? FAULTS : FEWER,
					sample: kind === 'import' ? 4 : 2,
					check: (dir, outcome) => check(kind, dir, outcome)
				});
				expect(hits).toBeGreaterThan(0);
			}
		);
	}
);

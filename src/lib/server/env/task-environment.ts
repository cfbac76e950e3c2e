import path from 'node:path';
import { z } from 'zod';
import { PRIVATE_FILE, readTextIfExists, writeAtomic } from '#core/files';
import { VARIABLE_NAMES } from './values.ts';

/**
 * cron gives its programs hardly any environment. What this dashboard was configured with (beside `.env`, which the
 * dispatcher reads itself) is kept in the data directory, readable by its owner alone: it may hold secrets.
 */
const FILE = 'task-environment.json';
const NODE_FILE = 'task-node';
const Kept = z.record(z.string(), z.string());

type Source = Record<string, string | undefined>;

export async function keepTaskEnvironment(dataDir: string, source: Source) {
	const set = [...VARIABLE_NAMES, 'ENV_FILE'].flatMap((name) => {
		const value = source[name];
		return value === undefined ? [] : [[name, value] as const];
	});
	const text = JSON.stringify(Object.fromEntries(set), null, '\t');
	const file = path.join(dataDir, FILE);
	if ((await readTextIfExists(file)) !== text) await writeAtomic(file, text, PRIVATE_FILE);
	const node = path.join(dataDir, NODE_FILE);
	if ((await readTextIfExists(node)) !== process.execPath)
		await writeAtomic(node, process.execPath, PRIVATE_FILE);
}

/** What is set now wins over what was kept; the data directory is the one of the command line. */
export async function readTaskEnvironment(dataDir: string, now: Source): Promise<Source> {
	const text = await readTextIfExists(path.join(dataDir, FILE));
	const kept = text === null ? {} : Kept.parse(JSON.parse(text));
	return { ...kept, ...now, DATA_DIR: dataDir };
}

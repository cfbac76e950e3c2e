import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A temporary folder, removed after the test. */
export async function tempDir(): Promise<string> {
	const dir = await mkdtemp(path.join(tmpdir(), 'craftwarden-test-'));
	onTestFinished(() => rm(dir, { recursive: true, force: true }));
	return dir;
}

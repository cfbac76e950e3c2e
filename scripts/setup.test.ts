import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const SETUP = fileURLToPath(new URL('./setup.mjs', import.meta.url));
const RUNTIME = 'scripts/node-runtime';
const LINK = 'node_modules/.bin/node';

let root: string;
beforeEach(async () => {
	root = await mkdtemp(path.join(tmpdir(), 'craftwarden-setup-'));
	await mkdir(path.join(root, RUNTIME), { recursive: true });
	await cp(SETUP, path.join(root, 'scripts/setup.mjs'));
	await write('package-lock.json', 'one');
	await write(`${RUNTIME}/package-lock.json`, 'one');
	// As npm ci does: what was in node_modules is gone.
	await write(
		'npm.mjs',
		`import { mkdirSync, rmSync } from 'node:fs';
		if (!process.argv.includes('--prefix')) rmSync('node_modules', { recursive: true, force: true });
		mkdirSync('node_modules/.bin', { recursive: true });`
	);
});
afterEach(() => rm(root, { recursive: true }));

async function write(name: string, text: string) {
	const file = path.join(root, name);
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(file, text);
}

/** Runs it with the Node of these tests, which is new enough; npm is the stand-in. */
function setUp() {
	const env = { ...process.env, npm_execpath: path.join(root, 'npm.mjs') };
	const { status, stderr } = spawnSync(process.execPath, ['scripts/setup.mjs'], {
		...{ cwd: root, env, encoding: 'utf8', timeout: 30_000 }
	});
	expect(stderr).toBe('');
	expect(status).toBe(0);
}

test('a Node that was brought is still the first on the PATH after an update of the packages', async () => {
	const binary = `${RUNTIME}/node_modules/node-linux-${process.arch}/bin/node`;
	await write(binary, '');
	setUp();
	expect(await readlink(path.join(root, LINK))).toBe(`../../${binary}`);
	await write('package-lock.json', 'two');
	setUp();
	expect(await readlink(path.join(root, LINK))).toBe(`../../${binary}`);
});

test('none is brought to a machine whose own is new enough', async () => {
	setUp();
	await expect(readlink(path.join(root, LINK))).rejects.toMatchObject({ code: 'ENOENT' });
});

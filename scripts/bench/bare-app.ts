import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Served } from './measure.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FILES: Record<string, string> = {
	'package.json': '{ "name": "bare", "private": true, "type": "module" }',
	'svelte.config.js':
		"import adapter from '@sveltejs/adapter-node';\nexport default { kit: { adapter: adapter() } };\n",
	'vite.config.js':
		"import { sveltekit } from '@sveltejs/kit/vite';\nexport default { plugins: [sveltekit()] };\n",
	'src/app.html':
		'<!doctype html><html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
	'src/routes/+page.svelte': '<h1>Hello</h1>\n',
	'src/routes/constant/+server.js':
		"export const GET = () => new Response('{\"ok\":true}', { headers: { 'content-type': 'application/json' } });\n"
};

export type BareApp = {
	/** A new process of it, which ends with `dispose`. */
	serve(): Promise<Served>;
	dispose(): Promise<void>;
};

/** The baseline: a SvelteKit application of the same versions that does nothing, built and served in this run. */
export async function buildBareApp(): Promise<BareApp> {
	const dir = await mkdtemp(path.join(tmpdir(), 'craftwarden-bare-'));
	for (const [name, text] of Object.entries(FILES)) {
		await mkdir(path.dirname(path.join(dir, name)), { recursive: true });
		await writeFile(path.join(dir, name), text);
	}
	await symlink(path.join(ROOT, 'node_modules'), path.join(dir, 'node_modules'));
	const vite = path.join(ROOT, 'node_modules/vite/bin/vite.js');
	const built = spawnSync(process.execPath, [vite, 'build'], {
		cwd: dir,
		encoding: 'utf8',
		timeout: 120_000
	});
	if (built.status !== 0) throw new Error(`The bare application did not build:\n${built.stderr}`);

	const processes: ChildProcess[] = [];
	async function serve(): Promise<Served> {
		const port = 20_000 + ((process.pid + processes.length) % 20_000);
		const child = spawn(process.execPath, ['build/index.js'], {
			cwd: dir,
			env: { ...process.env, PORT: String(port), HOST: '127.0.0.1' },
			stdio: 'ignore'
		});
		processes.push(child);
		const url = `http://127.0.0.1:${port}`;
		for (let tries = 0; tries < 500; tries++) {
			if (
				await fetch(`${url}/constant`).then(
					(r) => r.ok,
					() => false
				)
			)
				break;
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
		return { url, pid: child.pid! };
	}
	return {
		serve,
		async dispose() {
			for (const child of processes) child.kill('SIGKILL');
			await rm(dir, { recursive: true, force: true });
		}
	};
}

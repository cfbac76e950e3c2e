import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { eventually, signedIn, type Dashboard } from '../harness.ts';

/** Starts the game server and waits until it answers. */
export async function startGame(dashboard: Dashboard) {
	const visitor = await signedIn(dashboard);
	await visitor.json('/api/server/start', {});
	const state = async () => (await visitor.json('/api/status')).body.state;
	await eventually(state, (now) => now === 'running');
	return visitor;
}

/** The names in one of the server's own list files. */
export async function listed(dashboard: Dashboard, file: string): Promise<string[]> {
	const text = await readFile(path.join(dashboard.gameDir, file), 'utf8');
	return (JSON.parse(text) as { name: string }[]).map(({ name }) => name);
}

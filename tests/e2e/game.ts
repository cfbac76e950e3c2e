import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { eventually, signedIn, type Dashboard } from '../harness.ts';

/** Starts the game server and waits until it answers. */
export async function startGame(dashboard: Dashboard) {
	const visitor = await signedIn(dashboard);
	await visitor.json('/api/server/start', {});
	const state = async () => (await visitor.json('/api/status')).body.state;
	await eventually(state, (now) => now === 'running');
	// The operation that started it ends a moment later; until then nothing else may start.
	const operations = async (): Promise<{ state: string }[]> =>
		(await visitor.json('/api/operations')).body.operations;
	await eventually(operations, (all) => all.every((one) => one.state !== 'running'));
	return visitor;
}

/** The names in one of the server's own list files. */
export async function listed(dashboard: Dashboard, file: string): Promise<string[]> {
	// The game writes its lists in place: for a moment a file may be half written.
	const read = () =>
		readFile(path.join(dashboard.gameDir, file), 'utf8')
			.then(JSON.parse)
			.catch(() => null);
	const entries = await eventually(read, (list) => list !== null);
	return (entries as { name: string }[]).map(({ name }) => name);
}

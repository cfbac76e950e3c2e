import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { eventually, processesIn, signedIn, type Dashboard } from '../harness.ts';

const LIMIT_MS = 60_000;

/** Starts the game server and waits until it answers. */
export async function startGame(dashboard: Dashboard) {
	const visitor = await signedIn(dashboard);
	const { status, body } = await visitor.json('/api/server/start', {});
	if (status !== 202) throw new Error(`It was not started: ${JSON.stringify(body)}`);
	const state = async () => (await visitor.json('/api/status')).body.state;
	await eventually(state, (now) => now === 'running', LIMIT_MS);
	// The operation that started it ends a moment later; until then nothing else may start.
	const operations = async (): Promise<{ state: string }[]> =>
		(await visitor.json('/api/operations')).body.operations;
	await eventually(operations, (all) => all.every((one) => one.state !== 'running'), LIMIT_MS);
	return visitor;
}

/** Holds the game where it is until the returned function is called. */
export async function hold(dashboard: Dashboard) {
	const pids = await processesIn(dashboard.gameDir);
	for (const pid of pids) process.kill(pid, 'SIGSTOP');
	return () => {
		for (const pid of pids) process.kill(pid, 'SIGCONT');
	};
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

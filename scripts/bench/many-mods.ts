// A registry that knows many mods, in a thread of its own: what asks it is measured alone. Told anything, it says how
// many requests it has had.
import { parentPort, workerData } from 'node:worker_threads';
import { startRegistry } from '../demo-registry/registry.ts';

const { mods, games } = workerData as { mods: number; games: string[] };
const registry = await startRegistry();
const files = Array.from({ length: mods }, (_, i) => {
	const slug = `mod-${i}`;
	registry.addProject({ slug, title: slug });
	const channel = (['release', 'beta', 'alpha'] as const)[i % 3]!;
	const [file] = registry.addVersion(slug, {
		number: '1',
		gameVersions: ['1.21.1'],
		channel
	}).files;
	// One of them is late for all but the oldest.
	const newer = i === 7 ? games.slice(-1) : games;
	registry.addVersion(slug, { number: '2', gameVersions: newer, channel });
	return { fileName: file!.name, title: slug, sha512: file!.sha512 };
});
parentPort!.postMessage({ url: registry.url, files });
parentPort!.on('message', () => parentPort!.postMessage(registry.requests.length));

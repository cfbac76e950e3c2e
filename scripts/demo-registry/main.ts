import { fillCatalogue } from './catalogue.ts';
import { addPacks } from './catalogue-packs.ts';
import { startRegistry } from './registry.ts';

/** Ends by itself after this long without a request; it is started again when needed. */
const IDLE_MS = 10 * 60_000;

/**
 * The demo's registry as a process of its own. Prints its address, and lives as long as its standard input is open:
 * it ends with the process that started it, however that ends.
 */
const port = Number(process.env['DEMO_REGISTRY_PORT'] ?? 0);
const idleMs = Number(process.env['DEMO_REGISTRY_IDLE_MS'] ?? IDLE_MS);
const registry = await startRegistry({
	port,
	keepRequests: false,
	onRequest: () => idle.refresh()
});
const idle = setTimeout(() => process.exit(0), idleMs);
fillCatalogue(registry);
addPacks(registry);
process.stdin.on('error', () => process.exit(0)).on('close', () => process.exit(0));
process.stdin.resume();
process.stdout.write(`${registry.url}\n`);

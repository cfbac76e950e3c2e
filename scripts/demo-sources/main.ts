import { startSources } from './sources.ts';

/** Exits by itself after this long without a request; it is started again when needed. */
const IDLE_MS = 10 * 60_000;

/** The demo's sources as a process of its own: prints its address, and exits when its standard input ends. */
const sources = await startSources({
	port: Number(process.env['DEMO_SOURCES_PORT'] ?? 0),
	onRequest: () => idle.refresh()
});
const idle = setTimeout(() => process.exit(0), IDLE_MS);
process.stdin.on('error', () => process.exit(0)).on('close', () => process.exit(0));
process.stdin.resume();
process.stdout.write(`${sources.url}\n`);

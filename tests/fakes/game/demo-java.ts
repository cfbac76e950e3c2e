import { chmod, copyFile, cp, link, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const DEMO = fileURLToPath(new URL('../../../scripts/demo-server', import.meta.url));

/**
 * A program `java` that starts the demo's game in the current folder, whatever it is told to start. All of it lies in
 * one folder, as a real one does: in a sandbox nothing else may be there. Returns the program's path.
 */
export async function demoJava(home: string): Promise<string> {
	const bin = path.join(home, 'bin');
	await mkdir(bin, { recursive: true });
	const node = path.join(bin, 'node');
	await link(process.execPath, node).catch(() => copyFile(process.execPath, node));
	await cp(DEMO, path.join(home, 'lib/demo-server'), { recursive: true });
	const java = path.join(bin, 'java');
	const main = path.join(home, 'lib/demo-server/main.ts');
	await writeFile(
		java,
		`#!/bin/sh\nDEMO_SPEED=20 DEMO_BOOT_MS=200 exec ${node} --disable-warning=ExperimentalWarning ${main}\n`
	);
	await chmod(java, 0o755);
	await writeFile(path.join(home, 'lib/package.json'), '{"type":"module"}');
	return java;
}

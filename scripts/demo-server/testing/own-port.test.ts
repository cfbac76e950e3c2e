import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';

/** So many that random ports would almost certainly collide. */
const MANY = 500;
const PROGRAM = `
	import { ownPort } from '${import.meta.dirname}/own-port.ts';
	const ports = [];
	while (ports.length < ${MANY}) ports.push(await ownPort());
	process.stdin.resume();
	process.stdout.write(JSON.stringify(ports));
`;

/** Keeps running, and keeps the ports, until the test is over. */
async function portsOfAnother(): Promise<number[]> {
	const other = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM]);
	onTestFinished(() => void other.kill('SIGKILL'));
	const [text] = await once(other.stdout, 'data');
	return JSON.parse(String(text));
}

test('no two tests get the same port, in whichever process they run', async () => {
	const ports = (await Promise.all([portsOfAnother(), portsOfAnother()])).flat();
	expect(new Set(ports).size).toBe(2 * MANY);
});

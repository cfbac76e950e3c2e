import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const AFTER_START_MS = 2_000;
const CHECK_MS = 60_000;
/** Fewer requests than this between two checks is quiet. */
const QUIET_REQUESTS = 600;

/**
 * V8 keeps memory of busier times for later. It is given back after the start and whenever it has become quiet after
 * some work; the collection takes some 50 ms, which nobody notices then.
 * @param {import('node:http').Server} server
 */
export function tidyMemory(server) {
	setFlagsFromString('--expose-gc');
	/** @type {(options: object) => void} */
	const collect = runInNewContext('gc');
	let [requests, atCheck, atTidying] = [0, 0, -1];
	server.on('request', () => void requests++);

	const check = () => {
		const quiet = requests - atCheck < QUIET_REQUESTS;
		atCheck = requests;
		if (!quiet || requests === atTidying) return;
		atTidying = requests;
		flushCompileCache(); // for the next start
		collect({ type: 'major', flavor: 'last-resort', execution: 'sync' });
	};
	setTimeout(check, AFTER_START_MS).unref();
	setInterval(check, CHECK_MS).unref();
}

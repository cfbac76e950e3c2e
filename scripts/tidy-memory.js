import { flushCompileCache } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const AFTER_START_MS = 2_000;
const CHECK_MS = 60_000;
/** Fewer requests and connections than this between two checks is quiet. */
const QUIET_REQUESTS = 600;
/** Steady traffic is never quiet: then at every fifth check all the same. */
const BUSY_CHECKS_MAX = 5;

/**
 * V8 and the C library keep memory of busier times for later. It is given back after the start, whenever it has become
 * quiet after some work, and now and then while it does not; that takes some 50 ms, which is rarely noticed.
 * @param {import('node:http').Server} server
 */
export function tidyMemory(server, tidy = createTidying()) {
	let [requests, atCheck, atTidying, checks] = [0, 0, -1, 0];
	server.on('request', () => void requests++).on('connection', () => void requests++);

	const check = () => {
		const quiet = requests - atCheck < QUIET_REQUESTS;
		atCheck = requests;
		if (requests === atTidying || (!quiet && ++checks < BUSY_CHECKS_MAX)) return;
		[atTidying, checks] = [requests, 0];
		tidy();
	};
	setTimeout(check, AFTER_START_MS).unref();
	setInterval(check, CHECK_MS).unref();
}

function createTidying() {
	setFlagsFromString('--expose-gc');
	/** @type {(options: object) => void} */
	const collect = runInNewContext('gc');
	return () => {
		flushCompileCache(); // for the next start
		collect({ type: 'major', flavor: 'last-resort', execution: 'sync' });
		trim();
	};
}

/**
 * What is free between blocks in use goes back by malloc_trim alone, which Node never calls. SQLite calls whatever it
 * is told to start an extension with, and takes the answer for a failure. Where there is no glibc nothing happens.
 */
export function trim() {
	const database = new DatabaseSync(':memory:', { allowExtension: true });
	try {
		database.loadExtension('libc.so.6', 'malloc_trim');
	} catch {
		// As it should: libc is none.
	} finally {
		database.close();
	}
}

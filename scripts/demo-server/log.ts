import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { clock, day } from './world/java-time.ts';

export type Level = 'INFO' | 'WARN' | 'ERROR';

/** `logs/latest.log` in the form of Fabric's file, the same on stdout. A message may have several lines. */
export interface GameLog {
	write(thread: string, level: Level, message: string): void;
	info(message: string, thread?: string): void;
	warn(message: string, thread?: string): void;
	error(message: string, thread?: string): void;
	close(): void;
}

export const SERVER_THREAD = 'Server thread';

export function openLog(dir: string): GameLog {
	const folder = path.join(dir, 'logs');
	const file = path.join(folder, 'latest.log');
	fs.mkdirSync(folder, { recursive: true });
	roll(folder, file);
	let fd: number | null = fs.openSync(file, 'a');
	let today = day(new Date());
	let attached = true;
	// The terminal or pipe may go away: the game plays on without it.
	process.stdout.on('error', () => (attached = false));

	const append = (text: string) => {
		const now = day(new Date());
		if (fd !== null && now !== today) {
			fs.closeSync(fd);
			roll(folder, file);
			fd = fs.openSync(file, 'a');
			today = now;
		}
		try {
			if (fd !== null) fs.writeSync(fd, text);
		} catch (error) {
			// As the game does on a full disk: the line is lost, the server lives.
			if (attached) process.stderr.write(`Unable to write to latest.log: ${String(error)}\n`);
		}
		if (attached) process.stdout.write(text);
	};

	const write: GameLog['write'] = (thread, level, message) =>
		append(`[${clock(new Date())}] [${thread}/${level}]: ${message}\n`);
	return {
		write,
		info: (message, thread = SERVER_THREAD) => write(thread, 'INFO', message),
		warn: (message, thread = SERVER_THREAD) => write(thread, 'WARN', message),
		error: (message, thread = SERVER_THREAD) => write(thread, 'ERROR', message),
		close() {
			if (fd !== null) fs.closeSync(fd);
			fd = null;
		}
	};
}

/** The old latest.log becomes `<its day>-<next number>.log.gz`; a higher number is newer. An empty one stays. */
function roll(folder: string, file: string): void {
	const stat = fs.statSync(file, { throwIfNoEntry: false });
	if (!stat || stat.size === 0) return;
	const date = day(stat.mtime);
	const numbers = fs
		.readdirSync(folder)
		.map((name) => new RegExp(`^${date}-(\\d+)\\.log(\\.gz)?$`).exec(name)?.[1])
		.map((n) => Number(n ?? 0));
	const plain = path.join(folder, `${date}-${Math.max(0, ...numbers) + 1}.log`);
	fs.renameSync(file, plain);
	fs.writeFileSync(`${plain}.gz`, gzipSync(fs.readFileSync(plain)));
	fs.unlinkSync(plain);
}

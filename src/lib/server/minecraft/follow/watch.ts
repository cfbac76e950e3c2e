import { watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Tells once that something may have happened to a file, then not before it is renewed: a flood of writes is no flood of
 * events. It may miss things, and says so to nobody: a poll stands beside.
 */
export interface FileWatch {
	/** Watches the folder that is there now, until the next change; nothing new while it is watched. Never rejects. */
	renew(): Promise<void>;
	close(): void;
}

/** The part of `fs.watch` that is used. */
export type Watch = (
	folder: string,
	options: { persistent: boolean },
	listener: (event: string, name: string | null) => void
) => { on(event: 'error', listener: () => void): unknown; close(): void };

/**
 * Watches the file's folder, since a file that is watched itself takes the watch along when it is renamed. Where that
 * cannot be done (no folder, too many watches, a network disk without events), `onChange` is not called.
 */
export function watchFile(file: string, onChange: () => void, make: Watch = watch): FileWatch {
	const folder = path.dirname(file);
	let watched: { close(): void; key: string } | null = null;
	let closed = false;

	const drop = () => {
		watched?.close();
		watched = null;
	};
	const open = (key: string) => {
		const watcher = make(folder, { persistent: false }, (_, name) => {
			const changed = name === null || name === path.basename(file);
			// By its own name the folder says that it was moved or deleted; what comes in its place is another one.
			if (changed || name === path.basename(folder)) drop();
			if (changed) onChange();
		});
		watcher.on('error', drop);
		watched = { key, close: () => watcher.close() };
	};

	return {
		async renew() {
			const key = await keyOf(folder);
			if (closed || key === watched?.key) return;
			drop();
			try {
				if (key) open(key);
			} catch {
				// The next round tries again.
			}
		},
		close() {
			closed = true;
			drop();
		}
	};
}

/** Which folder it is; undefined when there is none. */
const keyOf = (folder: string) =>
	stat(folder, { bigint: true }).then(
		(found) => (found.isDirectory() ? `${found.dev}:${found.ino}` : undefined),
		() => undefined
	);

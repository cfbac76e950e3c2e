import { watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Signals once that something may have happened to a file, then not again until it is renewed: a flood of writes does
 * not become a flood of events. It may miss changes without notice: a poll runs beside it.
 */
export interface FileWatch {
	/** Watches the current folder until the next change; does nothing while it is already watched. Never rejects. */
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
 * Watches the file's folder, because a watch on the file itself would follow it when it is renamed. Where that is not
 * possible (no folder, too many watches, a network disk without events), `onChange` is not called.
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
			// An event with the folder's own name means that it was moved or deleted; what replaces it is another
			// folder.
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

/** Identifies the folder; undefined when there is none. */
const keyOf = (folder: string) =>
	stat(folder, { bigint: true }).then(
		(found) => (found.isDirectory() ? `${found.dev}:${found.ino}` : undefined),
		() => undefined
	);

import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export type SmallDisk = {
	dir: string;
	resize(size: string): void;
	/** Makes sure that not one more byte fits, whatever has been deleted meanwhile. */
	fill(): void;
	/** Removes what filled it. */
	empty(): void;
	dispose(): void;
};

/** A file system of its own (`size` as mount takes it, e.g. `34m`); null where mounting is not allowed. */
export function mountSmallDisk(size: string): SmallDisk | null {
	const dir = mkdtempSync(path.join(tmpdir(), 'craftwarden-disk-'));
	const ballast = path.join(dir, 'ballast');
	const mount = (...args: string[]) => execFileSync('mount', args, { stdio: 'ignore' });
	try {
		mount('-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', dir);
	} catch {
		rmSync(dir, { recursive: true });
		return null;
	}
	return {
		dir,
		resize: (size) => void mount('-o', `remount,size=${size}`, dir),
		fill() {
			const file = openSync(ballast, 'a');
			try {
				for (const block = Buffer.alloc(1 << 20); ;) writeSync(file, block);
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
			} finally {
				closeSync(file);
			}
		},
		empty: () => rmSync(ballast, { force: true }),
		dispose() {
			execFileSync('umount', ['--lazy', dir], { stdio: 'ignore' });
			rmSync(dir, { recursive: true });
		}
	};
}

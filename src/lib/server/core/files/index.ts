export { linesBackwards } from './backwards.ts';
export {
	ensureDir,
	PRIVATE_FILE,
	exists,
	openRegular,
	openWithStats,
	writeAtomic,
	readTextIfExists,
	syncDir,
	sweepTemps,
	appendLine,
	PRIVATE_DIR,
	openNameless,
	replaceByCopy
} from './files.ts';
export { copyTree, readTree, type Tree } from './copy-tree.ts';
export { createExchange, isThere, type Exchange } from './exchange.ts';
export { diskAdvice, diskFailure, diskTrouble, onDisk } from './disk-errors.ts';
export { disksOf, gigabytes, isAlmostFull, type Disk } from './disks.ts';
export { sweepIncoming, writeIncoming } from './incoming.ts';
export { parseJson } from './json.ts';
export { lastLines } from './last-lines.ts';
export { decodeLine, LINE_MAX_BYTES, createLineSplitter } from './line-splitter.ts';
export { recentLines } from './recent-lines.ts';

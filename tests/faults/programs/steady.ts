// Preloaded into programs under strace: random bytes that are the same in each run.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

let counter = 0;
crypto.randomBytes = ((size: number) => {
	const bytes = Buffer.alloc(size);
	bytes.writeUIntBE(++counter, Math.max(0, size - 4), Math.min(size, 4));
	return bytes;
}) as typeof crypto.randomBytes;
syncBuiltinESMExports();

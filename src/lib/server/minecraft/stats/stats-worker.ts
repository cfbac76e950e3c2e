/** Runs in a worker thread: reads the files of one batch after the other until it is terminated. */
import { parentPort } from 'node:worker_threads';
import { readPlayerFile, type FileKind } from './file.ts';
import { createPacker } from './pack.ts';

export type WantedFile = { file: string; kind: FileKind };

const packer = createPacker();

parentPort?.on('message', (batch: WantedFile[]) => {
	const packed = packer.pack(batch.map(({ file, kind }) => readPlayerFile(file, kind)));
	parentPort?.postMessage(packed, [packed.numbers.buffer]);
});

/** Runs in a worker thread: reads the files of one batch after the other, until it is ended. */
import { parentPort } from 'node:worker_threads';
import { readPlayerFile, type FileKind } from './stats-file.ts';

export type WantedFile = { file: string; kind: FileKind };

parentPort?.on('message', (batch: WantedFile[]) => {
	parentPort?.postMessage(batch.map(({ file, kind }) => readPlayerFile(file, kind)));
});

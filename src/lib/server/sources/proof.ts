import { rm } from 'node:fs/promises';
import { AppError } from '#core/errors';
import { openRegular } from '#core/files';
import { readZipEntries } from '#minecraft/zip';
import type { Outside } from './outside.ts';
import type { Artifact, Source } from './source.ts';

const ENTRY_MAX_BYTES = 8 << 20;

/** Downloads, then inspects the file: error pages have arrived in place of jars. Anything but such a jar is removed. */
export const provenDownload =
	(outside: Pick<Outside, 'download'>): Source['download'] =>
	async (artifact, to, options) => {
		await outside.download(artifact, to, options);
		await prove(artifact, to);
	};

async function prove({ fileName, proof }: Artifact, file: string): Promise<void> {
	const why = await whyNot(proof, file);
	if (!why) return;
	await rm(file, { force: true });
	throw new AppError('upstream', `${fileName} was rejected: ${why}. Nothing was changed.`, {
		code: 'bad-jar'
	});
}

async function whyNot(proof: Artifact['proof'], file: string): Promise<string | null> {
	const handle = await openRegular(file);
	if (!handle) return 'it is gone';
	try {
		const entries = await readZipEntries(handle, [proof.file], ENTRY_MAX_BYTES);
		if (!entries) return 'it is not a jar';
		const text = entries.get(proof.file)?.toString('utf8');
		if (text === undefined) return `${proof.file} is missing in it`;
		return proof.texts.every((part) => text.includes(part)) ? null : 'it is for another version';
	} finally {
		await handle.close();
	}
}

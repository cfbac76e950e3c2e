import path from 'node:path';
import { editFile } from './edit-file.ts';
import { editProperties, parseProperties } from './properties.ts';
import type { ServerFolder } from './server-folder.ts';

const FILE = 'eula.txt';
const MAX_BYTES = 16 * 1024;
const HEAD =
	'#By changing the setting below to TRUE you are indicating your agreement to our EULA (https://aka.ms/MinecraftEULA).\n';
/** What Paper and Spigot accept instead of the file. */
const OPTION = '-Dcom.mojang.eula.agree=true';

/** Whether the game would start without asking for the EULA. */
export async function eulaAccepted(folder: ServerFolder, argv: string[]): Promise<boolean> {
	const bytes = await folder.bytes(FILE, MAX_BYTES);
	const word = bytes && parseProperties(bytes).get('eula');
	return word?.trim().toLowerCase() === 'true' || argv.includes(OPTION);
}

/**
 * Writes the agreement, on behalf of the person who asked for it, in the form the game reads. `AppError('upstream')`.
 */
export async function acceptEula(dir: string): Promise<void> {
	await editFile(path.join(dir, FILE), MAX_BYTES, (bytes) =>
		editProperties(bytes.length ? bytes : Buffer.from(HEAD), { eula: 'true' })
	);
}

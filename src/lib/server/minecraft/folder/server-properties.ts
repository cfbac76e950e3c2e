import path from 'node:path';
import type { Clock } from '#core/clock';
import { editFile } from './edit-file.ts';
import {
	editProperties,
	parseProperties,
	PROPERTIES_MAX_BYTES,
	type Properties
} from './properties.ts';
import { serverFolder, type ServerFolder } from './server-folder.ts';

const FILE = 'server.properties';
/** The game empties the file before it writes it. */
const RETRY_MS = [50, 100, 250];

/** server.properties as it is now; a missing file has no keys. Null when it cannot be read. Never rejects. */
export const readServerProperties = (dir: string, clock: Clock): Promise<Properties | null> =>
	readIn(serverFolder(dir), clock);

/** The same for frequent callers: one `stat` while the file has not changed. */
export function createPropertiesReader(
	dir: string,
	clock: Clock
): () => Promise<Properties | null> {
	let last: { folder: ServerFolder; properties: Properties } | null = null;
	return async () => {
		if (last && (await last.folder.unchanged())) return last.properties;
		const folder = serverFolder(dir);
		const properties = await readIn(folder, clock);
		last = properties && { folder, properties };
		return properties;
	};
}

async function readIn(folder: ServerFolder, clock: Clock): Promise<Properties | null> {
	let bytes = await folder.bytes(FILE, PROPERTIES_MAX_BYTES);
	for (const waitMs of RETRY_MS) {
		if (bytes?.length !== 0) break;
		await clock.sleep(waitMs);
		bytes = await folder.bytes(FILE, PROPERTIES_MAX_BYTES);
	}
	if (!bytes && (folder.denied(FILE) || (await folder.exists(FILE)))) return null;
	return parseProperties(bytes ?? Buffer.alloc(0));
}

/** Changes values in the file of a stopped server; the rest of it stays byte for byte. `AppError('upstream')`. */
export async function editServerProperties(dir: string, changes: Record<string, string>) {
	await editFile(path.join(dir, FILE), PROPERTIES_MAX_BYTES, (bytes) =>
		editProperties(bytes, changes)
	);
}

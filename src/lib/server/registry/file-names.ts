import { SafeJarName } from '#schemas/mod';

/** Names of devices on Windows, whatever follows the dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Nobody uses these with good intentions. */
const HOSTILE = /[/\\\p{Cc}\p{Cf}]|^\.|^-|\.\./u;

const isSafe = (name: string) => SafeJarName.safeParse(name).success && !DEVICE.test(name);

/** A file that the loader would load. */
export const isJarName = (name: string) => /\.jar$/i.test(name);

/**
 * The name for a registry's file on our disk: the author's, if it is harmless or a few odd characters can be
 * replaced; else one made of the ids.
 */
export function safeJarName(name: string, ids: { projectId: string; versionId: string }): string {
	if (isSafe(name)) return name;
	const plain = (id: string) => id.slice(0, 50).replace(/[^A-Za-z0-9_]/g, '_');
	const derived = `${plain(ids.projectId) || '_'}-${plain(ids.versionId)}.jar`;
	if (HOSTILE.test(name)) return derived;
	const stem = name
		.replace(/\.jar$/i, '')
		.normalize('NFKD')
		.replace(/\p{M}+/gu, '')
		.replace(/[^A-Za-z0-9._+()[\] -]+/g, '-')
		.replace(/^[^A-Za-z0-9_+(]+|[-. ]+$/g, '');
	const tidy = `${stem}.jar`;
	return /[A-Za-z0-9].*[A-Za-z0-9]/.test(stem) && isSafe(tidy) ? tidy : derived;
}

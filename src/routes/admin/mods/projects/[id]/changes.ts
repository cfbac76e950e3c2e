import type { ModProject, ModVersion } from '$lib/schemas/mod';

type Version = Pick<ModVersion, 'publishedAt' | 'installed'>;

/** What installing a version would mean, by the same dates that updates use. */
export function changesFrom(installed: ModProject['installed'], versions: Version[]) {
	const present = versions.find((version) => version.installed)?.publishedAt;
	return ({ publishedAt, ...version }: Version) => {
		if (version.installed) return 'Installed';
		if (installed === null) return 'Install';
		if (!present) return 'Change to this';
		return publishedAt > present ? 'Update' : 'Downgrade';
	};
}

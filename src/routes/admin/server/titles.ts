const TITLES: Record<string, string> = {
	vanilla: 'Vanilla',
	fabric: 'Fabric',
	quilt: 'Quilt',
	neoforge: 'NeoForge',
	forge: 'Forge',
	paper: 'Paper'
};

/** Null for a loader that is not known. */
export const titleOf = (loader: string | null) =>
	loader === null ? null : (TITLES[loader] ?? null);

import { Loader } from '#schemas/mod';
import { AppError } from '#core/errors';
import type { ServerFacts } from './known.ts';

/** The server that a plan is for. */
export type Target = {
	loader: Loader;
	loaderVersion: string | null;
	gameVersion: string;
	/** What of the registry it can load: Quilt loads Fabric's mods too. */
	loaders: string[];
};

/** What of the registry a server can load; Quilt loads Fabric's mods, too. Empty without a mod loader. */
export function loadersFor(loader: string | null, gameVersion: string | null = null): string[] {
	const known = Loader.safeParse(loader);
	if (!known.success) return [];
	// The first NeoForge was Forge with another name.
	if (known.data === 'neoforge' && gameVersion === '1.20.1') return ['neoforge', 'forge'];
	return known.data === 'quilt' ? ['quilt', 'fabric'] : [known.data];
}

/** The server as something to look mods up for. AppError `conflict` when it takes none. */
export function targetOf({ loader, loaderVersion, gameVersion }: ServerFacts): Target {
	const known = Loader.safeParse(loader);
	if (!known.success)
		throw new AppError(
			'conflict',
			'This server has no mod loader, so it cannot load mods. Install Fabric, Quilt, Forge or NeoForge first.',
			{ code: 'no-loader' }
		);
	if (!gameVersion)
		throw new AppError(
			'conflict',
			'The version of the game is not known yet. Start the server once, then try again.',
			{ code: 'no-game-version' }
		);
	return { loader: known.data, loaderVersion, gameVersion, loaders: loadersFor(loader) };
}

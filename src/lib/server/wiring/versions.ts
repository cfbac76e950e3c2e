import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { lazy } from '#core/lazy';
import type { Logger } from '#core/log';
import type { ServerConfig } from '#env';
import { ServerLoader } from '#schemas/software';

type Outside = { clock: Clock; log: Logger };

/** Which versions of the game and of loaders there are; the lists are first fetched when somebody asks. */
export function wireVersions(config: ServerConfig, { clock, log }: Outside) {
	const sources = lazy(async () => {
		const { createSources, SOURCE_ADDRESSES } = await import('#sources');
		return createSources({
			address: (setting) => {
				const url = config.sourceUrls[setting];
				if (!url && config.demo) return async () => Promise.reject(notInDemo());
				return url ?? new URL(SOURCE_ADDRESSES[setting]);
			},
			userAgent: `craftwarden/craftwarden/${config.version}`,
			clock,
			log
		});
	});
	return {
		releases: async () => (await sources()).releases(),
		async builds(loader: string, game: string) {
			const known = ServerLoader.safeParse(loader);
			return known.success ? (await sources()).of(known.data).builds(game) : [];
		},
		close: async () => (await sources.built())?.close()
	};
}

const notInDemo = () =>
	new AppError('upstream', 'The demo knows no newer versions of the game. Nothing was changed.');

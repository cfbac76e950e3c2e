import type { Clock } from '#core/clock';
import { lazy } from '#core/lazy';
import type { Logger } from '#core/log';
import type { ServerConfig } from '#env';
import { ServerLoader } from '#schemas/software/software';
import { createDemoSources } from './demo/demo.ts';

type Outside = { clock: Clock; log: Logger; root: string };

/** Where games, loaders and Java come from: loaded, and in the demo started, at the first request. */
export function wireSources(config: ServerConfig, { clock, log, root }: Outside) {
	const part = lazy(async () => {
		const { createSources, SOURCE_ADDRESSES } = await import('#sources');
		const demo = config.demo ? createDemoSources(root) : null;
		const sources = createSources({
			address: (setting) =>
				config.sourceUrls[setting] ??
				(demo
					? // One server has each service under the name of its setting.
						async () => new URL(setting, await demo.url())
					: new URL(SOURCE_ADDRESSES[setting])),
			userAgent: `craftwarden/craftwarden/${config.version} (github.com/craftwarden/craftwarden)`,
			clock,
			log
		});
		return { sources, demo };
	});
	const sources = async () => (await part()).sources;
	return {
		sources,
		/** Which versions of the game and of loaders exist. */
		versions: {
			releases: async () => (await sources()).releases(),
			async builds(loader: string, game: string) {
				const known = ServerLoader.safeParse(loader);
				return known.success ? (await sources()).of(known.data).builds(game) : [];
			}
		},
		async close() {
			const built = await part.built();
			built?.sources.close();
			await built?.demo?.close();
		}
	};
}

import { sveltekit } from '@sveltejs/kit/vite';
import { SvelteKitPWA } from '@vite-pwa/sveltekit';
import { visualizer } from 'rollup-plugin-visualizer';
import { defineConfig } from 'vitest/config';
import { icons } from './scripts/vite-icons.ts';

const isIn =
	(...folders: string[]) =>
	(id: string) =>
		folders.some((folder) => id.includes(folder));
const isShared = isIn('/src/lib/');
/** Fetched or used by few pages, which share them among themselves. */
const isRare = isIn('/src/lib/game/palette/', '/src/lib/game/players/', '/src/lib/schemas/');

/**
 * Client chunks, each with all that it imports: first the framework, then what the sign-in page and the frame of every
 * page show, then the overview, where nearly every visit begins, then what the other pages share. All else stays with the page that uses it (docs/decisions/010).
 */
const CHUNKS = [
	{
		name: 'framework',
		test: isIn('/node_modules/svelte/', '/node_modules/@sveltejs/', 'vite/preload-helper')
	},
	{ name: 'front', test: isIn('/src/lib/ui/base/', '/src/routes/login/', '/src/routes/+layout.') },
	{
		name: 'overview',
		test: isIn(
			'/src/routes/admin/+layout.',
			'/src/routes/admin/+page.',
			'/src/routes/admin/overview/',
			'/src/lib/game/AppOverlays.'
		)
	},
	{ name: 'shared', test: (id: string) => isShared(id) && !isRare(id) }
];

/** Files of tests that start whole programs, replace a module, or look at what their own process holds. */
const ALONE = [
	'tests/**/*.test.ts',
	'src/lib/client/{enhance,error-report,reload,search/typed-search}.test.ts',
	'src/lib/game/power/{CountdownLine,in-the-way,PowerControls,PowerForm}.test.ts',
	'src/lib/game/shell/endings.test.ts',
	'src/lib/ui/controls/back-closes.test.ts',
	'src/routes/admin/operations/**/timeline.test.ts',
	'src/routes/admin/overview/{StatusCard,attention/AttentionPanel}.test.ts',
	'src/routes/home/home.test.ts',
	'src/lib/server/minecraft/{mods,stats}/folder.test.ts',
	'src/lib/server/trial/trials.test.ts'
];

export default defineConfig({
	plugins: [
		icons(),
		sveltekit(),
		SvelteKitPWA({
			strategies: 'injectManifest',
			srcDir: 'src',
			filename: 'service-worker.ts',
			injectRegister: false,
			manifest: false,
			injectManifest: {
				// Only what stands in for everything else; the worker keeps the rest as it is used.
				globPatterns: ['client/offline.{html,js}'],
				manifestTransforms: [
					(entries) => ({
						manifest: entries
							.filter(({ url }) => url.startsWith('client/offline.'))
							.map((entry) => ({ ...entry, url: entry.url.replace('client', '') }))
					})
				]
			}
		}),
		process.env['ANALYZE'] === 'true' && visualizer({ filename: 'stats.html', gzipSize: true })
	],
	environments: {
		client: { build: { rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } } } }
	},
	test: {
		// Whole programs are started side by side; a busy machine makes each of them slow.
		testTimeout: 60_000,
		hookTimeout: 60_000,
		// Many tests wait for a game to boot, so more of them fit than there are cores.
		maxWorkers: 4,
		// In this order. A process for each file imports the same modules again, which takes longer than its tests.
		projects: [
			{ extends: true, test: { name: 'alone', include: ALONE } },
			{
				extends: true,
				test: {
					name: 'together',
					isolate: false,
					include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
					exclude: ALONE
				}
			}
		]
	}
});

import { sveltekit } from '@sveltejs/kit/vite';
import { SvelteKitPWA } from '@vite-pwa/sveltekit';
import { visualizer } from 'rollup-plugin-visualizer';
import { defineConfig } from 'vitest/config';
import { icons } from './scripts/vite-icons.ts';
import { svelteParts } from './scripts/vite-svelte-parts.ts';
import { youngClosures } from './scripts/vite-young-closures.ts';

const KIT = /node_modules\/(svelte|@sveltejs|esm-env|clsx|devalue)\/|vite\/preload/;
/** Parts of svelte that the sign-in page does without. */
const SELDOM =
	/svelte\/src\/((motion|easing|animate|transition|attachments|store)\/|reactivity\/(?!create-subscriber|reactive-value|window)|internal\/(shared\/(clone|validate)|client\/(loop|timing|validate|dom\/(css|blocks\/(async|await|css-props|each|html|key|slot|svelte-element)|elements\/(actions|custom-element|customizable-select|transitions|bindings\/(?!select|shared|this)[a-z]+)|legacy\/(misc|event-modifiers))))\.js)/;
const isFirst = (id: string) =>
	KIT.test(id) && !SELDOM.test(id) && !id.endsWith('/internal/client/index.js');
export default defineConfig({
	plugins: [
		icons(),
		svelteParts(isFirst, SELDOM),
		youngClosures(),
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
		client: {
			build: {
				rolldownOptions: {
					// They only declare; else every page would fetch them for what they might do.
					treeshake: {
						moduleSideEffects: [
							{ test: SELDOM, sideEffects: false },
							{ test: /svelte\/src\/internal\/client\/index\.js$/, sideEffects: false }
						]
					}
				}
			}
		}
	},
	test: {
		include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'tests/**/*.test.ts'],
		environment: 'node',
		// Many tests wait for a game to boot, so more of them fit than there are cores.
		maxWorkers: 3,
		// Whole programs are started side by side; a busy machine makes each of them slow.
		testTimeout: 60_000,
		hookTimeout: 60_000
	}
});

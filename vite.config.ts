import { sveltekit } from '@sveltejs/kit/vite';
import { SvelteKitPWA } from '@vite-pwa/sveltekit';
import { visualizer } from 'rollup-plugin-visualizer';
import { defineConfig } from 'vitest/config';
import { icons } from './scripts/vite-icons.ts';

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

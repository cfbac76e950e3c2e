import { sveltekit } from '@sveltejs/kit/vite';
import { visualizer } from 'rollup-plugin-visualizer';
import { defineConfig } from 'vitest/config';

export default defineConfig({
	plugins: [
		sveltekit(),
		process.env['ANALYZE'] === 'true' && visualizer({ filename: 'stats.html', gzipSize: true })
	],
	test: {
		include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'tests/**/*.test.ts'],
		environment: 'node',
		testTimeout: 20_000,
		hookTimeout: 20_000
	}
});

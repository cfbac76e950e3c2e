import adapter from '@sveltejs/adapter-node';
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

/** @type {import('@sveltejs/kit').Config} */
export default {
	preprocess: vitePreprocess(),
	kit: {
		adapter: adapter({ precompress: true }),
		serviceWorker: { register: false },
		// hooks.server.ts checks the Origin of every method that writes, JSON included, and answers problem+json.
		csrf: { trustedOrigins: ['*'] },
		typescript: {
			config: (config) => ({
				...config,
				compilerOptions: {
					...config.compilerOptions,
					paths: {
						...config.compilerOptions.paths,
						'@lucide/svelte/icons/*': ['../src/lib/ui/base/lucide.d.ts']
					}
				},
				include: [
					...config.include,
					'../scripts/**/*.ts',
					'../scripts/**/*.js',
					'../*.config.ts',
					'../*.config.js'
				]
			})
		},
		csp: {
			mode: 'nonce',
			directives: {
				'default-src': ['self'],
				'script-src': ['self'],
				'style-src': ['self'],
				'style-src-attr': ['unsafe-inline'],
				'img-src': ['self', 'data:'],
				'connect-src': ['self'],
				'object-src': ['none'],
				'base-uri': ['self'],
				'form-action': ['self'],
				'frame-ancestors': ['none']
			}
		}
	}
};

import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import svelte from 'eslint-plugin-svelte';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';

export default defineConfig(
	{
		ignores: [
			'build/',
			'.svelte-kit/',
			'data/',
			'test-results/',
			'playwright-report/',
			'screenshots/'
		]
	},
	js.configs.recommended,
	ts.configs.recommended,
	svelte.configs.recommended,
	prettier,
	svelte.configs.prettier,
	{
		languageOptions: { globals: { ...globals.browser, ...globals.node } },
		rules: {
			'no-undef': 'off',
			'no-console': 'error',
			'svelte/no-navigation-without-resolve': 'off',
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
			'@typescript-eslint/consistent-type-imports': 'error'
		}
	},
	{ files: ['scripts/**', 'tests/**'], rules: { 'no-console': 'off' } },
	{
		files: ['**/*.svelte', '**/*.svelte.ts', '**/*.svelte.js'],
		languageOptions: {
			// Without types, which two rules want and which take longer than all the rest: there are no stores, and unused
			// props are looked for by a test.
			parserOptions: { extraFileExtensions: ['.svelte'], parser: ts.parser }
		}
	},
	{
		files: ['src/lib/ui/**', 'src/lib/game/**', 'src/routes/**/*.svelte'],
		rules: { 'no-restricted-globals': ['error', 'fetch', 'EventSource', 'localStorage'] }
	}
);

import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import svelte from 'eslint-plugin-svelte';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';

/**
 * Files in `files` may not import what matches `group`. A later, narrower room replaces an earlier one.
 * @param {string[]} files
 * @param {string[]} group
 * @param {string} message
 * @returns {import('eslint').Linter.Config}
 */
const room = (files, group, message) => ({
	files,
	ignores: ['**/*.test.ts'],
	rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] }
});

const ROUTES = [
	'node:*',
	'$lib/server/*',
	'!$lib/server/core',
	'$lib/server/core/*',
	...['http', 'sse', 'safe-path', 'upload'].flatMap((name) => [
		`!$lib/server/core/${name}`,
		`!$lib/server/core/${name}.ts`
	])
];
const KIT = ['@sveltejs/*', '$app/*', '$env/*', '$lib/*'];

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
	room(
		['src/lib/schemas/**'],
		[...KIT, 'node:*', '../*'],
		'schemas import zod and other schemas only'
	),
	room(
		['src/lib/server/**'],
		KIT,
		'the server runs on plain Node too (scripts/task): relative imports with .ts, no kit'
	),
	room(['src/lib/server/core/**'], [...KIT, '../*'], 'core knows Node, not this game'),
	room(
		['src/lib/server/core/http/**'],
		['$app/*', '$env/*', '$lib/*', '../../*'],
		'http knows kit, not this game'
	),
	room(
		['src/lib/server/{minecraft,picture,registry,storage}/**'],
		[
			...KIT,
			'../services/*',
			'../minecraft/*',
			'../picture/*',
			'../registry/*',
			'../storage/*',
			'../app.ts',
			'../env.ts'
		],
		'the outside world knows nothing of HTTP, of services or of its neighbours'
	),
	room(
		['src/lib/server/services/**'],
		[...KIT, 'node:child_process', '../../services/*', '../app.ts', '../env.ts'],
		'services know nothing of HTTP, the environment, processes or each other: take a function in Deps'
	),
	room(['src/lib/server/auth.ts'], ['$app/*', '$env/*', '$lib/*'], 'auth.ts is the Auth.js glue'),
	room(
		['src/lib/client/**'],
		['$lib/server/*', '$lib/components/*', 'node:*'],
		'client state imports schemas only'
	),
	room(
		['src/lib/components/game/**'],
		['$lib/server/*', 'node:*'],
		'server code stays on the server'
	),
	room(
		['src/lib/components/ui/**'],
		['$lib/server/*', '$lib/schemas/*', '$lib/client/*', '$lib/components/game/*', 'node:*'],
		'ui components know nothing about this game'
	),
	room(['src/routes/**'], ROUTES, 'routes reach services through locals.app'),
	room(
		['src/routes/{login,logout}/**'],
		[...ROUTES, '!$lib/server/auth', '!$lib/server/auth.ts'],
		'these two routes alone also speak to the sign-in glue'
	),
	{
		files: ['src/lib/components/**', 'src/routes/**/*.svelte'],
		rules: { 'no-restricted-globals': ['error', 'fetch', 'EventSource', 'localStorage'] }
	}
);

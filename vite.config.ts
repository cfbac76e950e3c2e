import { sveltekit } from '@sveltejs/kit/vite';
import { SvelteKitPWA } from '@vite-pwa/sveltekit';
import { visualizer } from 'rollup-plugin-visualizer';
import { defineConfig } from 'vitest/config';
import { icons } from './scripts/vite-icons.ts';

const KIT = /node_modules\/(svelte|@sveltejs|esm-env|clsx|devalue)\/|vite\/preload/;
const ADMIN = /src\/lib\/|@lucide/;
/** Of the pages players, chat and stats. */
const PEOPLE =
	/components\/game\/(AddPlayer|Chat[A-Z]|Player|LeaderRow|Stat(Form|Picker|Sections)|people|player-|marks|stats\.)|client\/chat-read/;
/** Of the pages logs and console. */
const TEXTS =
	/components\/game\/(Log[A-Z]|Console|Spans|logs)|client\/(log-feed|row-heights|command-history|text-fetch)/;
/** Of the pages mods, backups and schedule. */
const FILES =
	/components\/(game\/(Archive|Backup|Mod[A-Z]|NoteForm|PlanGroup|Snapshot|Task[A-Z]|UploadJar|backups|mods|tasks)|ui\/Markdown)|lib\/cron/;
/** Of the page analytics, with its chart library. */
const GRAPHS = /components\/game\/(Metric[A-Z]|metric-looks|metrics)/;
/** Fetched when the palette is opened: its parts and the library that nothing else uses. */
const PALETTE = /components\/game\/(Palette|palette-)|node_modules\/bits-ui\//;
/** Around all pages but the sign-in page, fetched after them. */
const AROUND = /components\/(game\/Around|ui\/UpdateBar)|client\/(install|palette-recent)/;

/**
 * Client chunks, with what they import: few requests, and the sign-in page (50 kB in all) carries nothing of what
 * stands behind it. `front` is what the sign-in page, the error page and the root layout show.
 */
const CHUNKS = [
	{ name: 'kit', test: KIT },
	{
		name: 'front',
		test: /components\/(ui\/(Button|Field|Notice|OfflineBanner|Panel)|game\/(ErrorWords|PublicShell))\.svelte|client\/(palette-key|session|theme)\./
	},
	{
		name: 'public',
		test: /components\/(game\/(JoinSteps|Notices|PreviewTags|PublicPack|PublicStatus)|ui\/CommandButton)\.svelte|client\/palette\.|icons\/(globe|log-in|sun-moon)\b/
	},
	// Fetched with the first error, also on a page that has nothing else of the admin's.
	{ name: 'report', test: /client\/error-report/ },
	{ name: 'around', test: AROUND },
	// With zod, which few pages need in the browser.
	{ name: 'schemas', test: /node_modules\/zod\/|src\/lib\/schemas\// },
	{
		name: 'admin',
		test: (id: string) =>
			ADMIN.test(id) && ![PEOPLE, TEXTS, FILES, GRAPHS, PALETTE].some((page) => page.test(id))
	},
	{ name: 'people', test: PEOPLE },
	{ name: 'texts', test: TEXTS },
	{ name: 'files', test: FILES },
	{ name: 'graphs', test: GRAPHS },
	{ name: 'palette', test: PALETTE }
].map((group, i, { length }) => ({ ...group, priority: length - i }));

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
		client: {
			build: {
				rolldownOptions: {
					output: { codeSplitting: { groups: CHUNKS } }
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

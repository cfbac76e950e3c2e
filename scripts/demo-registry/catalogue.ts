import { modJar, SEED_MODS } from '../demo-server/seed/seed-mods.ts';
import { INSTALLED, OFFERED, type Entry, type VersionEntry } from './catalogue-mods.ts';
import type { FakeRegistry } from './registry.ts';
import type { Channel, DependencyInput, FileInput, Support } from './types.ts';

const GAME_VERSION = '1.21.1';
const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.parse('2025-09-01T08:30:00Z');

const SIDES: Record<Entry['side'], [client: Support, server: Support, environment: string]> = {
	server: ['unsupported', 'required', 'server_only'],
	client: ['required', 'unsupported', 'client_only'],
	both: ['required', 'required', 'client_and_server'],
	either: ['optional', 'optional', 'client_or_server_prefers_both']
};
const AUTHORS = ['fenwick', 'marigold_m', 'otterworks', 'tallow', 'juniper-and-co', 'old_brass'];
const NOTES = [
	'Works with the newest loader',
	'Less noise in the log',
	'Settings are read again without a restart',
	'Fixes a crash when two players do it at the same time',
	'Translations: German, Finnish, Portuguese',
	'Faster by about a tenth',
	'Fixes an item that got lost on the way'
];

type Registry = Pick<FakeRegistry, 'addProject' | 'addVersion' | 'store'>;

/** All mods of the demo's world; the same ones with the same bytes each time. */
export function fillCatalogue(registry: Registry): void {
	const entries = [...INSTALLED, ...OFFERED];
	entries.forEach((entry, index) => addEntry(registry, entry, index));
	// Now every project has its id.
	entries.forEach((entry, index) => {
		const versions = entry.versions.map((one) => (typeof one === 'string' ? { number: one } : one));
		versions.forEach((version, nth) => addOne(registry, entry, version, { index, nth }));
	});
}

function addEntry({ addProject }: Registry, entry: Entry, index: number) {
	const [clientSide, serverSide, environment] = SIDES[entry.side];
	addProject({
		slug: entry.slug,
		title: entry.title,
		description: entry.description,
		body: bodyOf(entry),
		author: AUTHORS[index % AUTHORS.length]!,
		categories: entry.categories,
		clientSide,
		serverSide,
		environment: [environment],
		downloads: entry.downloads,
		follows: Math.round(entry.downloads / 90),
		icon: !entry.plain,
		published: dateOf(index, 0)
	});
}

function addOne(
	registry: Registry,
	entry: Entry,
	version: VersionEntry,
	{ index, nth }: { index: number; nth: number }
) {
	const { number } = version;
	const seed = SEED_MODS.find((one) => one.id === entry.slug && one.version === number);
	const needs = [...(entry.needs ?? []), ...(version.needs ?? [])];
	const any = (slugs: string[]) => Object.fromEntries(slugs.map((slug) => [slug, '*']));
	const breaks = entry.hates ? { breaks: any(entry.hates) } : {};
	const nested = (entry.embeds ?? []).map((slug) => embedded(registry, slug));
	const files: FileInput[] | undefined = seed && [{ name: seed.file, bytes: modJar(seed) }];
	const added = registry.addVersion(entry.slug, {
		number,
		channel: channelOf(number),
		publishedAt: dateOf(index, nth),
		loaders: entry.loaders ?? ['fabric'],
		gameVersions: version.gameVersions ?? entry.gameVersions ?? [GAME_VERSION],
		environment: SIDES[entry.side][2],
		changelog: version.changelog ?? (nth === 0 ? null : notesOf(index + nth)),
		dependencies: dependenciesOf(registry, entry, needs),
		mod: {
			depends: any(needs),
			...breaks,
			nested,
			fault: version.fault,
			faultWith: version.faultWith
		},
		...(files ? { files } : {})
	});
	const [file] = added.files;
	if (!file || !version.file) return;
	file.url = file.url.replace(encodeURIComponent(file.name), encodeURIComponent(version.file));
	file.name = version.file;
}

function dependenciesOf({ store }: Registry, entry: Entry, needs: string[]): DependencyInput[] {
	const all = (kind: DependencyInput['kind'], slugs: string[] = []) =>
		slugs.map((slug) => ({ projectId: store.find(slug)!.id, kind }));
	return [
		...all('required', needs),
		...all('optional', entry.likes),
		...all('incompatible', entry.hates),
		...all('embedded', entry.embeds)
	];
}

/** The newest version of a library, as it lies in another's jar. */
function embedded({ store }: Registry, slug: string) {
	const project = store.find(slug)!;
	const { versions } = OFFERED.find((entry) => entry.slug === slug)!;
	const version = String(versions.at(-1));
	const { title: name, description } = project;
	return {
		file: `${slug}-${version}.jar`,
		bytes: modJar({ id: slug, version, name, description })
	};
}

const channelOf = (number: string): Channel =>
	number.includes('-alpha') ? 'alpha' : number.includes('-beta') ? 'beta' : 'release';

/** A mod's versions are about six weeks apart. */
const dateOf = (index: number, nth: number) =>
	new Date(FIRST_DAY_MS + (index * 2 + nth * 43) * DAY_MS + index * 1_234_567).toISOString();

const notesOf = (n: number) =>
	`- ${NOTES[n % NOTES.length]}\n- ${NOTES[(n * 3 + 1) % NOTES.length]}`;

const bodyOf = ({ title, description, needs = [], side }: Entry) => `# ${title}

${description}

## What it does

- Does what it says, and nothing else.
- Can be configured in \`config/\`.
${needs.length ? `\n## Needs\n\n${needs.map((slug) => `- [${slug}](https://example.org/${slug})`).join('\n')}\n` : ''}
## Where

${side === 'client' ? 'On the player’s machine only.' : side === 'server' ? 'On the server; players need nothing.' : 'On the server and on the player’s machine.'}

> Made up for the demonstration: the jar holds a description and no code.
`;

import { writeZip } from '../world/zip.ts';

export type SeedMod = {
	file: string;
	id: string;
	version: string;
	name: string;
	description: string;
	depends?: Record<string, string>;
};

/** Two names that everybody knows, and three that are made up. None holds any code. */
export const SEED_MODS: SeedMod[] = [
	{
		file: 'fabric-api-0.104.0+1.21.1.jar',
		id: 'fabric-api',
		version: '0.104.0+1.21.1',
		name: 'Fabric API',
		description: 'Stand-in for the library that most mods need.'
	},
	{
		file: 'lithium-fabric-0.13.0+mc1.21.1.jar',
		id: 'lithium',
		version: '0.13.0+mc1.21.1',
		name: 'Lithium',
		description: 'Stand-in for a mod that makes the server faster.'
	},
	{
		file: 'lantern-keeper-1.4.2.jar',
		id: 'lantern-keeper',
		version: '1.4.2',
		name: 'Lantern Keeper',
		description: 'Somebody lights the lanterns at dusk and puts them out at dawn.',
		depends: { 'fabric-api': '*' }
	},
	{
		file: 'quiet-villagers-2.0.1.jar',
		id: 'quiet-villagers',
		version: '2.0.1',
		name: 'Quiet Villagers',
		description: 'Hrmm, but less often.'
	},
	{
		file: 'waymarks-0.9.0+1.21.1.jar',
		id: 'waymarks',
		version: '0.9.0+1.21.1',
		name: 'Waymarks',
		description: 'Signposts that know the way.',
		depends: { 'fabric-api': '*' }
	}
];

/** How a mod of the demo's registry breaks the server: see README.md. */
export const MOD_FAULTS = [
	...(['refuse', 'die', 'hang', 'crash', 'lacks', 'clash', 'flaky', 'online'] as const),
	'old-world'
] as const;
export type ModFault = (typeof MOD_FAULTS)[number];

export type JarOptions = Omit<SeedMod, 'file'> & {
	environment?: '*' | 'client' | 'server';
	breaks?: Record<string, string>;
	provides?: string[];
	/** Jars inside the jar: file name and bytes. */
	nested?: { file: string; bytes: Buffer }[];
	fault?: ModFault | undefined;
	/** The mod that `lacks` misses, and `clash` does not get along with. */
	faultWith?: string | undefined;
};

/** A valid Fabric jar that holds a mod's description and nothing else. The same mod gives the same bytes. */
export function modJar(mod: JarOptions): Buffer {
	const nested = (mod.nested ?? []).map((jar) => ({ ...jar, file: `META-INF/jars/${jar.file}` }));
	const metadata = {
		schemaVersion: 1,
		id: mod.id,
		version: mod.version,
		name: mod.name,
		description: mod.description,
		authors: ['Craftwarden demo'],
		license: 'MIT',
		environment: mod.environment ?? '*',
		entrypoints: {},
		depends: { fabricloader: '>=0.16.0', minecraft: '~1.21.1', ...mod.depends },
		...(mod.breaks ? { breaks: mod.breaks } : {}),
		...(mod.provides ? { provides: mod.provides } : {}),
		...(nested.length ? { jars: nested.map(({ file }) => ({ file })) } : {}),
		...(mod.fault
			? { custom: { 'craftwarden-demo': { fault: mod.fault, with: mod.faultWith } } }
			: {})
	};
	return writeZip([
		{ name: 'META-INF/MANIFEST.MF', content: 'Manifest-Version: 1.0\r\n\r\n' },
		{ name: 'fabric.mod.json', content: JSON.stringify(metadata, null, '\t') },
		...nested.map(({ file, bytes }) => ({ name: file, content: bytes }))
	]);
}

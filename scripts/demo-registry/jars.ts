import { modJar, type JarOptions } from '../demo-server/seed/seed-mods.ts';
import { writeZip } from '../demo-server/world/zip.ts';

/** A small real jar for a loader, with the metadata that it reads and nothing else. */
export function jarFor(loader: string, mod: JarOptions, gameVersion: string): Buffer {
	if (loader === 'quilt') return quiltJar(mod, gameVersion);
	if (loader === 'forge' || loader === 'neoforge') return tomlJar(loader, mod, gameVersion);
	return modJar({ ...mod, depends: { minecraft: `~${gameVersion}`, ...mod.depends } });
}

const manifest = { name: 'META-INF/MANIFEST.MF', content: 'Manifest-Version: 1.0\r\n\r\n' };

function quiltJar(mod: JarOptions, gameVersion: string): Buffer {
	const depends = { minecraft: `~${gameVersion}`, quilt_loader: '>=0.20.0', ...mod.depends };
	const metadata = {
		schema_version: 1,
		quilt_loader: {
			group: 'dev.demo',
			id: mod.id,
			version: mod.version,
			metadata: { name: mod.name, description: mod.description },
			depends: Object.entries(depends).map(([id, versions]) => ({ id, versions }))
		},
		minecraft: {
			environment: mod.environment === 'server' ? 'dedicated_server' : (mod.environment ?? '*')
		}
	};
	return writeZip([
		manifest,
		{ name: 'quilt.mod.json', content: JSON.stringify(metadata, null, '\t') }
	]);
}

function tomlJar(loader: 'forge' | 'neoforge', mod: JarOptions, gameVersion: string): Buffer {
	const id = mod.id.replaceAll('-', '_');
	const text = (value: string) => JSON.stringify(value);
	const depends = { minecraft: `[${gameVersion}]`, ...mod.depends };
	const lines = [
		'modLoader="javafml"',
		'loaderVersion="[1,)"',
		'license="MIT"',
		'[[mods]]',
		`modId=${text(id)}`,
		`version=${text(mod.version)}`,
		`displayName=${text(mod.name)}`,
		`description=${text(mod.description)}`
	];
	for (const [needed, range] of Object.entries(depends))
		lines.push(
			`[[dependencies.${id}]]`,
			`modId=${text(needed.replaceAll('-', '_'))}`,
			loader === 'forge' ? 'mandatory=true' : 'type="required"',
			`versionRange=${text(range)}`,
			'ordering="NONE"',
			'side="BOTH"'
		);
	const name = loader === 'forge' ? 'META-INF/mods.toml' : 'META-INF/neoforge.mods.toml';
	return writeZip([manifest, { name, content: `${lines.join('\n')}\n` }]);
}

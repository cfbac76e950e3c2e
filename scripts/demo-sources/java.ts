import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readZipEntry } from '../demo-server/world/zip.ts';

/**
 * A stand-in for Java: reports a version, runs the installers of `files.ts`, and starts the demo server for everything
 * else, in the current folder.
 */
const args = process.argv.slice(2);
const version = process.env['DEMO_JAVA_VERSION'] ?? '21.0.9';
const jar = args[args.indexOf('-jar') + 1];

if (args.includes('-version')) tellVersion();
else if (args.includes('--installServer') && jar) await install(jar);
else await import('../demo-server/main.ts');

function tellVersion() {
	process.stderr.write(
		`openjdk version "${version.replace(/\+.*/, '')}" 2025-10-21\n` +
			`OpenJDK Runtime Environment Demo (build ${version})\n` +
			`OpenJDK 64-Bit Server VM Demo (build ${version}, mixed mode)\n`
	);
}

type Told = { loader: 'forge' | 'neoforge'; game: string; version: string; fault: string | null };

async function install(file: string) {
	const told = JSON.parse(readZipEntry(file, 'demo.json')?.toString() ?? 'null') as Told;
	const { fault } = told;
	const target = args[args.indexOf('--installServer') + 1] ?? '.';
	const log = (text: string) => {
		process.stdout.write(`${text}\n`);
		writeFileSync(`${path.basename(file)}.log`, `${text}\n`, { flag: 'a' });
	};
	log('JVM info: Demo - 21 - 21');
	log(`Target Directory: ${target}`);
	// The real one prints this and exits successfully when it trusts no certificate.
	if (fault === 'nothing')
		return log('Failed to validate certificates for files.minecraftforge.net');
	if (fault === 'window') throw new Error('No X11 DISPLAY variable was set');
	if (fault === 'outside') writeFileSync(path.resolve(target, '../escaped.txt'), 'out\n');
	if (fault === 'hangs') return new Promise(() => setInterval(() => {}, 60_000));
	log('Extracting main jar:');
	log('Downloading libraries');
	const put = (relative: string, content: string) => {
		const at = path.join(target, relative);
		mkdirSync(path.dirname(at), { recursive: true });
		writeFileSync(at, content);
	};
	const { loader, game, version: build } = told;
	const group = loader === 'forge' ? 'net/minecraftforge/forge' : 'net/neoforged/neoforge';
	const folder = loader === 'forge' ? `${game}-${build}` : build;
	put('libraries/com/example/library/1.0/library-1.0.jar', 'PK\n');
	if (fault === 'fails') {
		log('There was an error during installation');
		process.exit(1);
	}
	if (fault === 'half') return log('The server installed successfully');
	const argsFile = `libraries/${group}/${folder}/unix_args.txt`;
	const own = loader === 'forge' ? 'forgeVersion' : 'neoForgeVersion';
	put(
		argsFile,
		`-DlibraryDirectory=libraries\nexample.Main\n--launchTarget forgeserver\n--fml.${own} ${build}\n--fml.mcVersion ${game}\n`
	);
	put('run.sh', `#!/usr/bin/env sh\njava @user_jvm_args.txt @${argsFile} "$@"\n`);
	put('run.bat', `java @user_jvm_args.txt @${argsFile} %*\n`);
	put('user_jvm_args.txt', '# Xmx and Xms set the maximum and minimum RAM usage, respectively.\n');
	log('The server installed successfully');
}

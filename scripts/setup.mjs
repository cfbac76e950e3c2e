// Makes a fresh checkout ready to run. Plain JavaScript for whatever Node the machine has (18 and up).
// usage: node scripts/setup.mjs [--build] [--browser]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	accessSync,
	constants,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR = 24;
const RUNTIME = 'scripts/node-runtime';
/** Tools of the tests complain about a Node that only fetches another one. */
const QUIET = ['--no-audit', '--no-fund', '--loglevel', 'error'];
const BUILD_INPUTS = [
	'src',
	'static',
	'scripts/demo-server',
	'scripts/build-threads.ts',
	'scripts/strip-build.ts',
	'scripts/vite-icons.ts',
	'vite.config.ts',
	'svelte.config.js',
	'tsconfig.json'
];
const BROWSERS = [
	process.env.CHROMIUM,
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome'
];

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
installPackages();
provideNode();
if (process.argv.includes('--build')) build();
if (process.argv.includes('--browser')) provideBrowser();

function installPackages() {
	once('node_modules/.craftwarden-stamp', hash('package-lock.json') + process.arch, () => {
		say('Installing packages (once) …');
		npm('ci', '--include=dev', ...QUIET);
	});
}

/** Node 24 for a machine with an older one: the registry's own binary, put first on the PATH of `npm run`. */
function provideNode() {
	const link = 'node_modules/.bin/node';
	const binary = `${RUNTIME}/node_modules/node-linux-${process.arch}/bin/node`;
	// The one that was brought may be running this, and its link may be gone with the packages of before an update.
	if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR && !existsSync(binary)) return;
	once(`${RUNTIME}/node_modules/.craftwarden-stamp`, hash(`${RUNTIME}/package-lock.json`), () => {
		say(`Fetching Node ${NODE_MAJOR} (this machine has ${process.versions.node}) …`);
		npm('ci', '--prefix', RUNTIME, ...QUIET);
		if (!existsSync(binary))
			fail(`Craftwarden needs Node ${NODE_MAJOR}; there is no package of it for ${process.arch}.`);
	});
	rmSync(link, { force: true });
	symlinkSync(relative(dirname(link), binary), link);
}

function build() {
	const wanted = hash(...BUILD_INPUTS, 'package-lock.json');
	once('build/.craftwarden-stamp', wanted, () => {
		say('Building (a minute or two) …');
		// What its tools say of a build that succeeds is for their authors.
		run(...npmCommand(['run', '--silent', 'build:only']), 'pipe');
	});
}

function provideBrowser() {
	if (BROWSERS.some((file) => file && executable(file))) return;
	if (process.getuid?.() !== 0 || !executable('/usr/bin/apt-get'))
		fail(
			'The browser tests need Chromium. Install it (Debian: apt-get install chromium) or set CHROMIUM=/path/to/it.'
		);
	say('Installing Chromium for the browser tests …');
	run('apt-get', ['update', '-q']);
	run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium']);
}

/** Does the work unless the stamp says it was done for just this input. */
function once(stamp, wanted, work) {
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
	work();
	mkdirSync(dirname(stamp), { recursive: true });
	writeFileSync(`${stamp}.tmp`, wanted);
	renameSync(`${stamp}.tmp`, stamp);
}

/** One hash over the names and contents of files and folders. */
function hash(...paths) {
	const sum = createHash('sha256');
	const add = (path) => {
		let entries;
		try {
			entries = readdirSync(path).sort();
		} catch (error) {
			if (error.code !== 'ENOTDIR') throw error;
			sum.update(`${path}\0`).update(readFileSync(path));
			return;
		}
		for (const name of entries) add(join(path, name));
	};
	paths.forEach(add);
	return sum.digest('hex');
}

function npm(...args) {
	run(...npmCommand(args));
}

function npmCommand(args) {
	const cli = process.env.npm_execpath;
	return cli ? [process.env.npm_node_execpath ?? process.execPath, [cli, ...args]] : ['npm', args];
}

/** `output` as `pipe` shows what it says only when it fails. */
function run(file, args, output = 'inherit') {
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	env.PATH = `${resolve('node_modules/.bin')}:${env.PATH}`;
	const stdio = ['inherit', output, output];
	const { status, error, ...said } = spawnSync(file, args, { stdio, env, maxBuffer: Infinity });
	if (error) fail(`${file} could not be started: ${error.message}`);
	if (status === 0) return;
	for (const text of [said.stdout, said.stderr]) if (text) process.stderr.write(text);
	process.exit(status ?? 1);
}

function executable(file) {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

function say(line) {
	process.stdout.write(`craftwarden: ${line}\n`);
}

function fail(line) {
	process.stderr.write(`craftwarden: ${line}\n`);
	process.exit(1);
}

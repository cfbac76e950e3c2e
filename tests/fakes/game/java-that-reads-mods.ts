import { chmod, copyFile, link, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * A stand-in for Java: it starts a "game" that does what the jars in `mods/` say, each of them a text such as
 * `{"id":"a","does":"crash"}`. With an address, it first acts as a launcher that downloads the game from there. Returns the
 * path of the program.
 */
export async function makeJava(dir: string, gameAt: string | null = null): Promise<string> {
	const bin = path.join(dir, 'jdk', 'bin');
	await mkdir(bin, { recursive: true });
	const file = path.join(bin, 'java');
	// Its interpreter is part of it: ours may be hidden from it.
	const node = path.join(bin, 'node');
	await link(process.execPath, node).catch(() => copyFile(process.execPath, node));
	const text = gameAt ? `(${launch})(${JSON.stringify(gameAt)}, ${game});` : `(${game})();`;
	await writeFile(file, `#!${node}\n${text}\n`);
	await chmod(file, 0o755);
	return file;
}

/** The content of a "jar". */
export type FakeMod = {
	id: string;
	does?: string;
	/** It crashes unless that one is there. */
	needs?: string;
	/** It crashes when that one is there too. */
	hates?: string;
	target?: string;
};
export const fakeJar = (mod: FakeMod) => JSON.stringify(mod);

/* v8 ignore start: this is the text of another program */

function launch(gameAt: string, start: () => void) {
	const [fs, http] = [process.getBuiltinModule('node:fs'), process.getBuiltinModule('node:http')];
	const put = (file: string, text: string) => {
		fs.mkdirSync(file.replace(/\/[^/]+$/, ''), { recursive: true });
		fs.writeFileSync(file, text);
	};
	const agreed = () => {
		if (fs.existsSync('eula.txt')) return start();
		fs.writeFileSync('eula.txt', 'eula=false\n');
		console.log('You need to agree to the EULA in order to run the server.');
		process.exit(0);
	};
	if (fs.existsSync('.fabric/server/game.jar')) return agreed();
	http
		.get(gameAt, (answer) => {
			let text = '';
			answer.on('data', (bytes) => (text += bytes));
			answer.on('end', () => {
				put('.fabric/server/game.jar', text);
				put('libraries/lib.jar', 'a library');
				agreed();
			});
		})
		.on('error', (error) => {
			console.log(`Failed to setup fabric server\njava.net.ConnectException: ${error.message}`);
			process.exit(1);
		});
}

function game() {
	const [fs, net] = [process.getBuiltinModule('node:fs'), process.getBuiltinModule('node:net')];
	const { spawn } = process.getBuiltinModule('node:child_process');
	const say = (line: string) => console.log(`[12:00:00] [main/INFO]: ${line}`);
	const mods: FakeMod[] = fs
		.readdirSync('mods')
		.filter((name) => name.endsWith('.jar'))
		.map((name) => {
			const text = fs.readFileSync(`mods/${name}`, 'utf8');
			return text.startsWith('{') ? JSON.parse(text) : { id: name };
		});
	const has = (id: string) => mods.some((mod) => mod.id === id);
	const failWith = (id: string, why: string) => {
		console.log(
			`java.lang.IllegalStateException: ${why}\n\tat java.base/java.util.Objects.check(Objects.java:1)\n\tat mod.${id}.Init.run(Init.java:7)`
		);
		process.exit(1);
	};
	const attempt = (what: string, act: () => void) => {
		try {
			act();
			console.log(`REACHED ${what}`);
		} catch (error) {
			console.log(`refused ${what} ${(error as NodeJS.ErrnoException).code}`);
		}
	};
	say('Loading Minecraft 1.21.1 with Fabric Loader 0.16.9');
	console.log(`ENV ${JSON.stringify(process.env)}`);
	for (const { id, does, needs, hates, target = '' } of mods) {
		if (needs && !has(needs)) failWith(id, `no ${needs}`);
		if (hates && has(hates)) failWith(id, `${id} meets ${hates}`);
		if (does === 'crash') failWith(id, 'it is broken');
		if (does === 'exit') process.exit(3);
		if (does === 'hang') {
			process.on('SIGTERM', () => {});
			setInterval(() => {}, 1000);
			return;
		}
		if (does === 'print')
			for (let i = 0; i < Number(target); i++) console.log(`${'x'.repeat(1023)}\n`.repeat(1024));
		if (does === 'killed') process.kill(process.pid, 'SIGKILL');
		if (does === 'open')
			attempt(`${target} files`, () => {
				for (let i = 0; i < Number(target); i++) fs.openSync('server.properties', 'r');
			});
		if (does === 'listen') net.createServer().listen(Number(target), '127.0.0.1').unref();
		if (does === 'port')
			console.log(
				'[12:00:00] [Server thread/WARN]: **** FAILED TO BIND TO PORT!\n[12:00:00] [Server thread/WARN]: The exception was: java.net.BindException: Address already in use'
			);
		if (does === 'port') process.exit(1);
		if (does === 'burn') {
			const burn = 'for (const end = Date.now() + 6000; Date.now() < end; );';
			for (let i = 0; i < 4; i++) spawn(process.execPath, ['-e', burn], { stdio: 'ignore' });
			process.getBuiltinModule('node:child_process').execFileSync(process.execPath, ['-e', burn]);
		}
		if (does === 'daemon') {
			const code = `process.on('SIGTERM',()=>{});setInterval(()=>{},1000)`;
			const child = spawn(process.execPath, ['-e', code, target], {
				detached: true,
				stdio: 'ignore'
			});
			child.unref();
			process.exit(1);
		}
		if (does === 'fill') {
			const block = Buffer.alloc(1 << 20, 1);
			let i = 0;
			setInterval(() => fs.appendFileSync(`fill-${i++ % 50}`, block), 5);
			return;
		}
		if (does === 'write') attempt(`write ${target}`, () => fs.writeFileSync(target, 'x'));
		if (does === 'read') attempt('read', () => fs.readFileSync(target));
		if (does === 'leak') {
			const secret = fs.readFileSync(target, 'utf8');
			fs.mkdirSync('logs');
			fs.writeFileSync('logs/latest.log', `java.lang.IllegalStateException: ${secret}\n`);
			failWith(id, secret);
		}
		if (does === 'list') console.log(`LIST ${target}: ${fs.readdirSync(target).join()}`);
		if (does === 'link') fs.symlinkSync(target, 'logs');
		if (does === 'touch-jar') attempt('jar', () => fs.appendFileSync(`mods/${id}.jar`, ' '));
		if (does === 'connect')
			net
				.connect(Number(target), '127.0.0.1')
				.on('connect', () => console.log('REACHED network'))
				.on('error', (error) =>
					console.log(`refused network ${(error as NodeJS.ErrnoException).code}`)
				);
	}
	const claims = mods.find(({ does }) => does === 'claim');
	setTimeout(() => {
		say('Done (0.1s)! For help, type "help"');
		if (claims) setTimeout(() => failWith(claims.id, 'after it was ready'), 50);
	}, 100);
	process.stdin.on('data', (text) => {
		if (String(text).includes('stop')) process.exit(0);
	});
}

import { expect, test } from 'vitest';
import { looksLikeGame } from './game-argv.ts';

const FABRIC = ['java', '-Xmx4G', '-jar', 'fabric-server-launch.jar', 'nogui'];
const FORGE = [
	'java',
	'@user_jvm_args.txt',
	'@libraries/net/neoforged/neoforge/21.1.1/unix_args.txt'
];

test.each([
	['java itself', ['/usr/lib/jvm/21/bin/java', '-jar', 'paper.jar'], null],
	['a script that stands in for java', ['/bin/sh', '/opt/stand-in/java', '-jar', 'x.jar'], null],
	[
		'a script run by node with flags',
		['node', '--no-warnings', '/opt/java', '-jar', 'x.jar'],
		null
	],
	[
		'a java of another name, by its jar',
		['/opt/graal/bin/java21', '-jar', './fabric-server-launch.jar'],
		FABRIC
	],
	['a java of another name, by its file of arguments', ['/opt/java21', FORGE[2]!], FORGE],
	['the configured start script', ['/bin/bash', './start.sh'], ['./start.sh']],
	['the configured program', ['/srv/tools/start-server'], ['/srv/tools/start-server', '--fast']]
])('%s is the game', (_, argv, command) => {
	expect(looksLikeGame(argv, command)).toBe(true);
});

test.each([
	['an editor with the jar open', ['vim', 'fabric-server-launch.jar'], FABRIC],
	['a listing of the jar', ['unzip', '-l', 'fabric-server-launch.jar'], FABRIC],
	[
		'a terminal multiplexer around it',
		['SCREEN', '-dmS', 'mc', 'java', '-jar', 'fabric-server-launch.jar'],
		FABRIC
	],
	['sudo around it', ['sudo', '-u', 'mc', 'java', '-jar', 'fabric-server-launch.jar'], FABRIC],
	[
		'the installer of the loader',
		['java', '-jar', 'neoforge-21.1.1-installer.jar', '--installServer'],
		FORGE
	],
	['another jar under another name', ['/opt/java21', '-jar', 'tool.jar'], FABRIC],
	['a shell in the folder', ['-bash'], ['./start.sh']],
	['a shell, when the command is a shell', ['bash'], ['bash']],
	['nothing (a process that is just starting)', [], FABRIC],
	['an empty name', [''], null]
])('%s is not the game', (_, argv, command) => {
	expect(looksLikeGame(argv, command)).toBe(false);
});

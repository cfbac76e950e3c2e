import path from 'node:path';

const INTERPRETER = /^(?:env|(?:ba|da|a|z|k)?sh|node|python[\d.]*|perl|ruby)$/;
/** Programs that carry a command line in their own arguments and are not the program it starts. */
const CARRIER =
	/^(?:screen|tmux.*|dtach|abduco|sudo|su|doas|runuser|systemd-run|timeout|strace|ltrace|script|watch|less|more|vi|vim|nano|tail|grep)$/i;

const base = (argument: string | undefined) => path.basename(argument ?? '');

/** `java` for `/usr/bin/java …` and for a script `#!/bin/sh` named java, which runs as `/bin/sh …/java …`. */
function program(argv: string[]) {
	const script = argv.slice(1).find((argument) => !argument.startsWith('-'));
	return script && INTERPRETER.test(base(argv[0])) ? base(script) : base(argv[0]);
}

/** What distinguishes one server's command line: the jar, or the loader's file of arguments. */
function distinguishing(argv: string[]): string[] {
	const jar = argv[argv.indexOf('-jar') + 1];
	return [
		...(argv.includes('-jar') && jar ? [`-jar ${base(jar)}`] : []),
		...argv.filter((argument) => /^@.*args\.txt$/.test(argument))
	];
}

/**
 * Whether a process in the server's folder is the game, judging by its command line alone. `command` is how we would
 * start it. An editor with the jar open, a terminal multiplexer or the loader's installer is not the game.
 */
export function looksLikeGame(argv: string[], command: string[] | null): boolean {
	const name = program(argv);
	if (!name || CARRIER.test(base(argv[0])) || argv.some(isInstaller)) return false;
	if (name === 'java') return true;
	if (!command) return false;
	const known = distinguishing(command);
	if (distinguishing(argv).some((mark) => known.includes(mark))) return true;
	return known.length === 0 && !INTERPRETER.test(name) && name === program(command);
}

const isInstaller = (argument: string) => /installer[^/]*\.jar$/i.test(argument);

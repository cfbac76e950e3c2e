import type { ServerFolder } from './server-folder.ts';

const SCRIPTS = ['start.sh', 'run.sh'];
const SCRIPT_MAX_BYTES = 64 * 1024;
const LINE_MAX_CHARS = 8192;

/** The `java` line of a start script. */
export type ScriptLine = {
	script: string;
	/** `java`, or an absolute path to one. */
	java: string;
	jvmArgs: string[];
	/** The jar's name, or the path of `unix_args.txt`. */
	target: string;
};
/** Lines that can be followed, and why others cannot (`start.sh uses shell variables`). */
export type Scripts = { lines: ScriptLine[]; unusual: string[] };

/**
 * Reads what the owner's own start scripts pass to Java. Nothing is evaluated: a line with any shell syntax in it is
 * reported, not followed. `named` are files that the owner's command names, which come first.
 */
export async function readStartScripts(folder: ServerFolder, named: string[]): Promise<Scripts> {
	const found: Scripts = { lines: [], unusual: [] };
	for (const script of new Set([...named, ...SCRIPTS])) {
		const text = (await folder.bytes(script, SCRIPT_MAX_BYTES))?.toString('utf8');
		if (text === undefined) continue;
		const javaLines = text
			.replaceAll('\\\r\n', ' ')
			.replaceAll('\\\n', ' ')
			.split(/\r?\n/)
			.map((line) => line.trim())
			.filter(startsServer);
		if (javaLines.length === 0) continue;
		const only =
			javaLines.length === 1 ? readLine(javaLines[0]!) : 'has several lines that start Java';
		if (typeof only === 'string') found.unusual.push(`${script} ${only}`);
		else found.lines.push({ script, ...only });
	}
	return found;
}

/** Forge's run.sh first asks its jar whether this Java is suitable: that line starts no server. */
const startsServer = (line: string) =>
	!line.startsWith('#') &&
	/(?:^|[\s"'/])java["']?\s/.test(line) &&
	/\s(?:-jar\s|["']?@)/.test(line) &&
	!line.includes('--onlyCheckJava');

/** The end of a sentence that says why a line cannot be followed. */
function readLine(line: string): Omit<ScriptLine, 'script'> | string {
	if (line.length > LINE_MAX_CHARS) return 'has a very long line';
	const words = splitWords(line);
	if (typeof words === 'string') return words;
	if (words[0] === 'exec') words.shift();
	const java = words.shift() ?? '';
	if (java !== 'java' && !/^\/.*\/java$/.test(java)) return 'does not simply start Java';

	const jvmArgs: string[] = [];
	let target: string | null = null;
	while (words.length && target === null) {
		const word = words.shift()!;
		if (word === '-jar') target = words.shift() ?? '';
		else if (/^@.*\/unix_args\.txt$/.test(word)) target = word.slice(1);
		else if (isJvmArg(word)) jvmArgs.push(word);
		else return `passes ${quote(word)} to Java`;
	}
	if (!target) return 'names no jar';
	const extra = words.find((word) => !/^-{0,2}nogui$/.test(word));
	if (extra !== undefined) return `passes ${quote(extra)} to the server`;
	return { java, jvmArgs, target };
}

const isJvmArg = (word: string) =>
	/^-(?:X|D|server$|javaagent:|-[a-z-]+=|ea$|da$)/.test(word) || /^@[^\s]+$/.test(word);

const quote = (word: string) => `“${word.slice(0, 40)}”`;

/** The words that a shell would make of a line that needs nothing but quotes; else what else it needs. */
function splitWords(line: string): string[] | string {
	const words: string[] = [];
	let at = 0;
	while (at < line.length) {
		if (/\s/.test(line[at]!)) at++;
		else if (line[at] === '#') break;
		else {
			const word = readWord(line, at);
			if (typeof word === 'string') return word;
			if (!/^["']?\$[@*]["']?$/.test(line.slice(at, word.end))) words.push(word.text);
			at = word.end;
		}
	}
	return words;
}

function readWord(line: string, from: number): { text: string; end: number } | string {
	let text = '';
	let quoted: string | null = null;
	let at = from;
	for (; at < line.length; at++) {
		const char = line[at]!;
		if (quoted === null && /\s/.test(char)) break;
		if (quoted === null && (char === '"' || char === "'")) quoted = char;
		else if (char === quoted) quoted = null;
		else if (quoted !== "'" && /[$`\\]/.test(char)) {
			if (!/^\$[@*]/.test(line.slice(at, at + 2))) return 'uses shell variables or escapes';
			text += line.slice(at, ++at + 1);
		} else if (quoted === null && /[;&|<>(){}*?[\]~!]/.test(char))
			return `uses “${char}” of the shell`;
		else text += char;
	}
	return quoted ? 'has a quote without an end' : { text, end: at };
}

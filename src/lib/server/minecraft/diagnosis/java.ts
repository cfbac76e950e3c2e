import {
	diagnosis,
	find,
	isFailure,
	isSerious,
	excerpt,
	type Hit,
	type Rule,
	type Source
} from './evidence.ts';

/** Class file versions start at 45, which was Java 1: 52 is Java 8, 61 is 17, 65 is 21, 69 is 25. */
const javaOf = (classFile: string) => Number(classFile) - 44;
const both = (classFile: string) => `Java ${javaOf(classFile)} (class file version ${classFile})`;

const INSTALL = (java: number | string) =>
	`Install Java ${java} and point JAVA_HOME to it, or name its path in SERVER_COMMAND.`;

const javaMissing: Rule = ({ early, exit }) => {
	const hit = find(
		early,
		/java['"]?: (?:command )?not found|spawn \S{0,200}java ENOENT/,
		isFailure
	);
	if (!hit && exit?.code !== 127) return null;
	return diagnosis('java-missing', 'Java was not found, so the server could not be started.', {
		log: excerpt([hit], 0),
		advice:
			'Install the Java version that this game version needs, or name its path in SERVER_COMMAND.',
		restartable: false
	});
};

type Reading = {
	pattern: RegExp;
	say(match: RegExpExecArray): { message: string; advice: string };
};

const TOO_OLD_OR_NEW: Reading[] = [
	{
		pattern:
			/UnsupportedClassVersionError: (\S{1,200}) has been compiled by a more recent version of the Java Runtime \(class file version (\d{2})[^)]{0,20}\), .{0,80} up to (\d{2})/,
		say: ([, , needs, has]) => ({
			message: `The server or one of its mods needs ${both(needs!)}, but it was started with ${both(has!)}.`,
			advice: INSTALL(javaOf(needs!))
		})
	},
	{
		pattern: /Unsupported major\.minor version (\d{2})/,
		say: ([, needs]) => ({
			message: `The server needs ${both(needs!)}, but it was started with an older one.`,
			advice: INSTALL(javaOf(needs!))
		})
	},
	{
		pattern:
			/^Unsupported Java detected \((\d{2})[^)]{0,20}\)\. .{0,80}?(at least|up to) Java (\d{1,2})/,
		say: ([, has, bound, needs]) => ({
			message: `The server needs ${bound} Java ${needs}, but it was started with ${both(has!)}.`,
			advice: INSTALL(needs!)
		})
	},
	{
		pattern: /requires running the server with Java (\d{1,2}) or above/,
		say: ([, needs]) => ({
			message: `The server needs Java ${needs}, but it was started with an older one.`,
			advice: INSTALL(needs!)
		})
	},
	{
		pattern: /Could not find or load main class @/,
		say: () => ({
			message:
				'The server needs at least Java 16, but it was started with Java 8, which knows no @files.',
			advice: INSTALL('17 or the version that this game version needs')
		})
	},
	{
		pattern: /AppClassLoader cannot be cast to (?:class )?java\.net\.URLClassLoader/,
		say: () => ({
			message: 'This old version of the game needs Java 8, but it was started with a newer one.',
			advice: INSTALL(8)
		})
	},
	{
		pattern: /^Unrecognized (?:VM )?option:? ['"]?([^'"\s]{1,80})/,
		say: ([, option]) => ({
			message: `This Java does not know the option ${option}.`,
			advice:
				'Remove the option from the start script, or use the Java version that it was made for.'
		})
	}
];

const javaVersion: Rule = ({ early }) => firstOf(early, TOO_OLD_OR_NEW);

/** Servers that start all the same warn like this too: it counts only when nothing else explains the failure. */
export const javaTooNew: Rule = ({ early }) => {
	const hit = find(early, /Unsupported class file major version (\d{2})/, isSerious);
	return (
		hit &&
		wrongJava(hit, {
			message: `This server cannot read the classes of ${both(hit.match[1]!)}: it needs an older one.`,
			advice:
				'Use the Java version that this game version was made for: 8 up to 1.16, 17 up to 1.20.4, 21 up to 1.21.'
		})
	);
};

function firstOf(sources: Source[], readings: Reading[]) {
	for (const { pattern, say } of readings) {
		const hit = find(sources, pattern, isFailure);
		if (hit) return wrongJava(hit, say(hit.match));
	}
	return null;
}

const wrongJava = (hit: Hit, { message, advice }: { message: string; advice: string }) =>
	diagnosis('java-version', message, { log: excerpt([hit], 0), advice, restartable: false });

/** A mod's requirement of Java, as Fabric and Quilt word it. */
export const modNeedsJava = (needs: string, has: string | null, log: string[]) =>
	diagnosis(
		'java-version',
		`The mods need Java ${needs}${has ? `, but the server was started with Java ${has}` : ''}.`,
		{ log, advice: INSTALL(needs), restartable: false }
	);

const tooLittleMemory: Rule = ({ early }) => {
	const hit = find(
		early,
		/Could not reserve enough space for|There is insufficient memory for the Java Runtime|Invalid (?:maximum|initial) heap size|Initial heap size set to a larger value|Cannot create (?:GC|VM|worker) thread|os::commit_memory.{0,120}failed/,
		isFailure
	);
	return (
		hit &&
		diagnosis('memory', 'Java could not get the memory that the server is started with.', {
			log: excerpt([hit], 1),
			advice:
				'Lower -Xmx and -Xms in the start script to what the machine has free, or give the machine more memory.',
			restartable: false
		})
	);
};

const outOfMemory: Rule = ({ all }) => {
	const hit = find(all, /(?:^|[\s"(])java\.lang\.OutOfMemoryError(?:: (.{1,120}))?/, isFailure);
	if (!hit) return null;
	const what = hit.match[1] ?? '';
	const threads = /native thread/.test(what);
	return diagnosis(
		'memory',
		threads
			? 'The system did not let the server start any more threads.'
			: `The server ran out of memory${what ? ` (${what})` : ''}.`,
		{
			log: excerpt([hit], 0),
			advice: threads
				? 'Raise its user’s process limit, or look for a mod that starts too many threads.'
				: 'Give it more with -Xmx in the start script if the machine has it, or remove mods and lower view-distance.',
			restartable: true
		}
	);
};

export const javaRules: Rule[] = [javaMissing, javaVersion, tooLittleMemory, outOfMemory];

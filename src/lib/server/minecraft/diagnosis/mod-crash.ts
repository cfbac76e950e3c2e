import {
	diagnosis,
	find,
	findAll,
	isFailure,
	shortException,
	excerpt,
	type Evidence,
	type Hit,
	type Rule
} from './evidence.ts';
import { isPlatform, label, list, modsInFrames, type Mod } from './mod-names.ts';

/** Mods that fail while loading, or later because of how they are made. */

const TRACE_MAX_LINES = 80;
const CLIENT_ONLY = /for invalid dist DEDICATED_SERVER|in environment type SERVER/;

const failed = ({ ready }: Evidence, message: string, mods: Mod[], log: string[], advice: string) =>
	diagnosis('mods', message, {
		log,
		mods: mods.map(({ id }) => id),
		advice,
		restartable: ready
	});

const REPLACE =
	'Use the version that is made for this game and loader, or remove it. Undo the last change to the mods if it came with one.';
const REMOVE_CLIENT_MOD = 'Remove or disable it here: players install it on their own computers.';

/** Mods that failed to load, in the words of Forge, NeoForge and Fabric. */
const FAILURES: { pattern: RegExp; mod(match: RegExpExecArray): Mod }[] = [
	{
		pattern:
			/^\s*(?:- |Failure message: )?(.{0,80}?) ?\(([a-z][\w.-]{1,63})\) (?:has failed to load correctly|encountered an error)/,
		mod: ([, name, id]) => ({ id: id!, name: name || null })
	},
	{
		pattern: /Failed to create mod instance\. ModID: ([\w-]{1,64})/,
		mod: ([, id]) => ({ id: id!, name: null })
	},
	{
		pattern: /LoaderExceptionModCrash: Caught exception from (.{1,80}?) \(([\w-]{1,64})\)/,
		mod: ([, name, id]) => ({ id: id!, name: name! })
	},
	{
		pattern:
			/Could not execute entrypoint stage .{1,60}? due to errors, provided by '([\w-]{1,64})'/,
		mod: ([, id]) => ({ id: id!, name: null })
	}
];

const failedToLoad: Rule = (evidence) => {
	const found = FAILURES.flatMap(({ pattern, mod }) =>
		findAll(evidence.early, pattern, isFailure).map((hit) => ({ hit, mod: mod(hit.match) }))
	).filter(({ mod }) => !isPlatform(mod.id));
	const [first] = found;
	if (!first) return null;
	const mods = [...new Map(found.map(({ mod }) => [mod.id, mod])).values()];
	const client = find(evidence.early, CLIENT_ONLY, isFailure);
	const log = excerpt([first.hit, client], 3);
	if (client) return clientOnly(evidence, mods, log);
	const cause = causeBelow(first.hit);
	return failed(
		evidence,
		`The mod ${list(mods)} failed while it was loaded${cause ? `: ${cause}` : '.'}`,
		mods,
		log,
		REPLACE
	);
};

const clientOnly = (evidence: Evidence, mods: Mod[], log: string[]) =>
	failed(
		evidence,
		mods.length
			? `The mod ${list(mods.slice(0, 1))} uses parts of the game that only the client has.`
			: 'A mod uses parts of the game that only the client has.',
		mods,
		log,
		mods.length
			? REMOVE_CLIENT_MOD
			: 'Find the mod that is made for the client, and remove or disable it here.'
	);

/** The innermost exception of the trace that follows a line. */
function causeBelow({ lines, index }: Hit) {
	const trace = lines.slice(index, index + TRACE_MAX_LINES).map(({ text }) => text.trim());
	const end = trace.findIndex((line, i) => i > 0 && line === '');
	const exceptions = (end < 0 ? trace : trace.slice(0, end)).filter((line) =>
		/^(?:Caused by: |Exception message: )?(?:[a-z]\w*\.){1,12}\w*(?:Exception|Error)\b/.test(line)
	);
	const innermost = exceptions.at(-1)?.replace(/^Exception message: /, '');
	return innermost ? shortException(innermost) : null;
}

const mixin: Rule = (evidence) => {
	const hit =
		find(evidence.early, /Mixin apply (?:for mod ([\w-]{1,64}) )?failed (\S{1,160})/, isFailure) ??
		find(evidence.early, /Mixin \[([^\][]{1,200})\] from phase .{0,200}FAILED during/, isFailure);
	if (!hit) return null;
	const { text } = hit.lines[hit.index]!;
	const config = /([\w.-]{1,100}?)\.json:/.exec(text)?.[1] ?? '';
	const named = /Mixin apply for mod ([\w-]{1,64}) failed|from mod ([\w-]{1,64})/.exec(text);
	// `sodium.mixins.json`, `mixins.sodium.common.json`: the file is named after its mod.
	const id =
		named?.[1] ?? named?.[2] ?? config.replace(/^mixins?\.|[.-]mixins?$/g, '').split('.')[0]!;
	const mods = id && !isPlatform(id) ? [{ id, name: null }] : [];
	return failed(
		evidence,
		`The mod ${id || 'that is named in the log'} could not change the game as it wants to: it does not fit this version, or another mod is in its way.`,
		mods,
		excerpt([hit], 2),
		REPLACE
	);
};

const invalidDist: Rule = (evidence) => {
	const hit = find(evidence.early, CLIENT_ONLY, isFailure);
	if (!hit) return null;
	const below = hit.lines.slice(hit.index, hit.index + TRACE_MAX_LINES).map(({ text }) => text);
	const suspects = evidence.report?.suspects ?? [];
	const mods = suspects.length ? suspects : modsInFrames(below);
	return clientOnly(evidence, mods, excerpt([hit], 2));
};

const loadingFailed: Rule = (evidence) => {
	const hit = find(
		evidence.early,
		/^(?:Failed to complete lifecycle event|Failed to wait for future|Failed to initialize mod containers|Error during pre-loading phase|Loading errors encountered|A mod crashed on startup)|Mod [Ll]oading has failed|ModLoadingException|LoadingFailedException|EarlyLoadingException/,
		isFailure
	);
	if (!hit) return null;
	const mods = evidence.report?.suspects ?? [];
	const cause = causeBelow(hit);
	const by = mods.length ? ` (${mods.map(label).slice(0, 3).join(', ')})` : '';
	return failed(
		evidence,
		`The mods could not be loaded${by}${cause ? `: ${cause}` : '.'}`,
		mods,
		excerpt([hit], 6),
		'Look for the first error in the log, and undo the last change to the mods.'
	);
};

export const modCrashRules: Rule[] = [failedToLoad, mixin, invalidDist, loadingFailed];

import {
	continuation,
	diagnosis,
	find,
	findAll,
	isFailure,
	unique,
	excerpt,
	type Hit,
	type Rule
} from './evidence.ts';
import { modNeedsJava } from './java.ts';
import { isPlatform } from './mod-names.ts';

/** Mods that do not fit together, or do not fit the game: the loader says so before anything runs. */

const BLOCK_MAX_LINES = 60;
const SHOWN_LINES = 8;

const refused = (
	message: string,
	rest: { log: string[]; advice: string; mods: (string | undefined)[] }
) =>
	diagnosis('mods', message, {
		...rest,
		mods: rest.mods.flatMap((id) => (id && !isPlatform(id) ? [id] : [])),
		restartable: false
	});

const andMore = (count: number) => (count > 1 ? ` (and ${count - 1} more)` : '');

/** A line of Fabric's list: `Mod 'Sodium Extra' (sodium-extra) 0.5.4 requires any version of sodium, which is missing!` */
const FABRIC_MOD = /^(?:\S{1,12} )?(?:'[^']{1,80}' \(([\w-]{1,64})\)|'?([a-z][\w-]{1,63})'?)\s/;
const FABRIC_TARGET = / of (?:\S{1,12} )?(?:'[^']{1,80}' \(([\w-]{1,64})\)|'?([\w-]{1,64})'?)[,!]/;
const IN_PARENTHESES = /' \(([a-z][\w-]{1,63})\)/g;
const SUGGESTION = /^(?:Install|Replace|Remove|Update|You (?:need|should|must) )/;

const fabric: Rule = (evidence) => {
	const { early } = evidence;
	const hit = find(
		early,
		/Incompatible mods? (?:found|set)!|incompatible mod set!|mods are incompatible with the game|ModResolutionException/,
		isFailure
	);
	if (!hit) return null;
	const block = [hit.lines[hit.index]!, ...continuation(hit, BLOCK_MAX_LINES)].map(
		({ text }) => text
	);
	const items = bullets(block);
	const suggestions = items.filter((item) => SUGGESTION.test(item));
	const details = items.filter((item) => !SUGGESTION.test(item) && FABRIC_MOD.test(item));
	const log = excerpt([hit], SHOWN_LINES);
	const java = details.flatMap((item) => needsJava(item) ?? []);
	if (java.length && java.length === details.length) {
		const newest = java.sort((a, b) => Number(b.needs) - Number(a.needs))[0]!;
		return modNeedsJava(newest.needs, newest.has, log);
	}
	// Without mods of which it could say what they need, it mostly did not get past a file.
	const broken = details.length ? null : brokenJar(evidence);
	if (broken) return broken;
	return refused(
		`The mod loader refuses these mods: ${details[0] ?? reason(block)}${andMore(details.length)}`,
		{
			log,
			advice: suggestions.length
				? `The loader suggests: ${unique(suggestions).slice(0, 3).join(' ')}`
				: 'Install what is missing, or remove or replace the mods that it names.',
			mods: details.length ? details.flatMap(modsOf) : idsIn(items)
		}
	);
};

/** The list's items, one line each: an item that ends with a colon absorbs the deeper ones below it. */
function bullets(block: string[]): string[] {
	const items: { depth: number; text: string; open: boolean }[] = [];
	for (const line of block) {
		const [, indent = '', text] = /^(\s*)[-*] (.{1,400})/.exec(line) ?? [];
		if (text === undefined) continue;
		const depth = indent.replaceAll('\t', '    ').length;
		const above = items.at(-1);
		if (above?.open && depth > above.depth) above.text += ` ${text.trim()}`;
		else items.push({ depth, text: text.trim(), open: text.trimEnd().endsWith(':') });
	}
	return items.map(({ text }) => text);
}

/** The mod that complains, and the other one if it is present. */
function modsOf(item: string) {
	const mod = FABRIC_MOD.exec(item);
	const target = FABRIC_TARGET.exec(item);
	const missing = /which is missing/.test(item);
	return [mod?.[1] ?? mod?.[2], missing ? undefined : (target?.[1] ?? target?.[2])];
}

/** In other languages only the ids can be recognised. */
const idsIn = (items: string[]) =>
	items.flatMap((item) => [...item.matchAll(IN_PARENTHESES)].map((match) => match[1]));

function needsJava(item: string) {
	const target = FABRIC_TARGET.exec(item);
	if ((target?.[1] ?? target?.[2]) !== 'java') return null;
	const needs = /version (\d{1,2})\b/.exec(item)?.[1];
	return needs ? { needs, has: /present: (\d{1,2})/.exec(item)?.[1] ?? null } : null;
}

const reason = (block: string[]) =>
	(block.find((line) => /Exception: /.test(line)) ?? block[0]!).replace(/^.*?Exception: /, '');

const quilt: Rule = ({ early }) => {
	const hit = find(early, /^-- Error 1 --/, isFailure);
	if (!hit) return null;
	const block = hit.lines.slice(hit.index + 1, hit.index + 1 + BLOCK_MAX_LINES);
	const end = block.findIndex((line) => /^-- (?!Error)/.test(line.text));
	const lines = (end < 0 ? block : block.slice(0, end)).map(({ text }) => text.trim());
	const ids = lines.flatMap((line) => {
		const id =
			/(?:Mandatory|Optional) mod .{0,100}?\(([\w-]{2,64})\)|QuiltModOption '([\w-]{2,64})'|mod '([\w-]{2,64})' version/.exec(
				line
			);
		return id ? [id[1] ?? id[2] ?? id[3]] : [];
	});
	const first = lines.find((line) => line !== '') ?? '';
	const unhelpful = first === '' || first.startsWith('Unhandled solver error');
	return refused(
		unhelpful ? 'Quilt cannot load these mods together.' : `Quilt refuses these mods: ${first}`,
		{
			log: excerpt([hit], SHOWN_LINES),
			advice: 'Install what is missing, or remove or replace the mods that it names.',
			mods: ids
		}
	);
};

const dependencies: Rule = ({ early }) => {
	const hits = findAll(
		early,
		/Mod ID: '([^']{1,64})', Requested by: '([^']{1,64})', Expected range: '([^']{0,100})', Actual version: '([^']{0,100})'/,
		isFailure
	);
	const needs = unique(hits.map(({ match }) => match.slice(1).join('\0'))).map((row) => {
		const [id = '', by = '', range = '', actual = ''] = row.split('\0');
		return {
			id,
			by,
			range: range || 'any version',
			actual: actual === '[MISSING]' ? null : actual
		};
	});
	const [first] = needs;
	if (!first) return plainDependencies(findAll(early, PLAIN_NEED, isFailure));
	const present = first.actual === null ? 'which is missing' : `but ${first.actual} is installed`;
	return refused(
		`The mod ${first.by} needs ${first.id} ${first.range}, ${present}${andMore(needs.length)}.`,
		{
			log: excerpt(hits.slice(0, SHOWN_LINES), 0),
			advice: isPlatform(first.id)
				? `Use the version of ${first.by} that is made for this server, or remove it.`
				: `Install a matching version of ${first.id}, or remove ${first.by}.`,
			mods: needs.flatMap(({ id, by, actual }) => (actual === null ? [by] : [by, id]))
		}
	);
};

const PLAIN_NEED = /^\s*(?:- )?Mod ([a-z][\w-]{1,63}) requires ([a-z][\w-]{1,63}) (.{1,80})/;

/** Forge's list of errors, written for people: `Mod foo requires geckolib 4.2 or above`. */
function plainDependencies(hits: Hit[]) {
	const [first] = hits;
	if (!first) return null;
	const [, by, id, range] = first.match;
	const count = unique(hits.map(({ match }) => match[0].trim())).length;
	return refused(`The mod ${by} needs ${id} ${range}${andMore(count)}.`, {
		log: excerpt(hits.slice(0, 4), 1),
		advice: `Install a matching version of ${id}, or remove ${by}.`,
		mods: hits.map(({ match }) => match[1])
	});
}

/** Forge before 1.13. */
const missingMods: Rule = ({ early }) => {
	const hits = findAll(
		early,
		/MissingModsException: Mod ([\w-]{1,64}) \((.{1,80}?)\) requires \[?(.{1,160}?)\]?$/,
		isFailure
	);
	const [first] = hits;
	if (!first) return null;
	const count = unique(hits.map(({ match }) => match[0])).length;
	return refused(`The mod ${first.match[2]} needs ${first.match[3]}${andMore(count)}.`, {
		log: excerpt(hits.slice(0, SHOWN_LINES), 0),
		advice: 'Install or update what is missing, or remove the mods that need it.',
		mods: hits.map(({ match }) => match[1])
	});
};

const duplicates: Rule = ({ early }) => {
	const hits = [
		...findAll(early, /Mod ID: '([\w-]{1,64})' from mod files: (.{1,300})/, isFailure),
		...findAll(early, /^Found a duplicate mod ([\w-]{1,64}) at \[?(.{1,300}?)\]?$/, isFailure)
	];
	const [first] = hits;
	if (!first) return null;
	const files = unique(first.match[2]!.split(', ').map((file) => file.replace(/^.*[\\/]/, '')));
	return refused(`The mod ${first.match[1]} is there more than once: ${files.join(', ')}.`, {
		log: excerpt(hits.slice(0, SHOWN_LINES), 0),
		advice: 'Keep one of the files, the newer one as a rule, and remove the others.',
		mods: hits.map(({ match }) => match[1])
	});
};

const languageProvider: Rule = ({ early }) => {
	const hit =
		find(
			early,
			/Missing language (\S{1,40}) version (\S{1,60}) wanted by (.{1,120}?\.jar)/,
			isFailure
		) ?? find(early, /needs language provider ([^\s:]{1,40}):?(\S{0,60}).{0,120}/, isFailure);
	if (!hit) return null;
	const jar = hit.match[3] ?? /([^/\\\s]{1,120}\.jar)/.exec(hit.lines[hit.index]!.text)?.[1];
	return refused(
		`${jar ?? 'A mod'} is made for another version of the loader: it needs ${hit.match[1]} ${hit.match[2]}.`,
		{
			log: excerpt([hit], 0),
			advice: 'Use the version of the mod that is made for this server, or update the loader.',
			mods: [jar]
		}
	);
};

const brokenJar: Rule = ({ early }) => {
	const hit = find(
		early,
		/^(?:Caused by: )?(?:[\w.$]{1,120}: )?(?:Error (?:analyzing|reading)|Failed to (?:read|open|load)|(?:Mod )?[Ff]ile) .*(?:zip|valid|corrupt|analyz)/,
		isFailure
	);
	const jar = hit?.lines[hit.index]!.text.split(/[\s/\\[\]]+/).find((word) =>
		/.\.jar:?$/.test(word)
	);
	return jar === undefined || !hit
		? null
		: refused(`${jar.replace(/:$/, '')} is damaged or is not a mod.`, {
				log: excerpt([hit], 1),
				advice: 'Remove it, or download it again.',
				mods: [jar.replace(/:$/, '')]
			});
};

export const modRules: Rule[] = [
	fabric,
	quilt,
	dependencies,
	missingMods,
	duplicates,
	languageProvider,
	brokenJar
];

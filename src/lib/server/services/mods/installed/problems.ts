import { listed } from '#schemas/plain/words/listed';
import type { ModProblem, Side } from '#schemas/mod';
import type { JarDependency } from '#minecraft/mods';
import { shownName, type Entry } from './entries.ts';
import type { Clash, Needs } from './needs.ts';
import { BUILT_IN, type Pool } from './pool.ts';
import type { ModServer } from './types.ts';

type Context = {
	needs: Needs;
	pool: Pool;
	server: ModServer;
	twins: Map<Entry, Entry[]>;
	side: Side;
};

const LOADERS: Record<string, string> = {
	fabric: 'Fabric',
	quilt: 'Quilt',
	forge: 'Forge',
	neoforge: 'NeoForge',
	paper: 'Paper',
	vanilla: 'plain Minecraft'
};

/** What a person should know, the worst first. A disabled file does no harm, so only its own faults are reported. */
export function problemsOf(entry: Entry, context: Context): ModProblem[] {
	const { file } = entry;
	if (!file.facts.ok)
		return [{ code: file.regular ? 'broken' : 'not-a-file', message: file.facts.problem }];
	if (entry.foreign) return [{ code: 'wrong-loader', message: wrongLoader(entry, context.server) }];
	if (!file.enabled) return [];
	const problems = duplicates(entry, context.twins);
	// The loader ignores it, and what it needs.
	return entry.skipped ? problems : [...problems, ...clientOnly(entry, context), ...unmet(context)];
}

function wrongLoader({ file, described }: Entry, { loader }: ModServer): string {
	const here = `this server runs ${LOADERS[loader ?? ''] ?? loader}`;
	if (file.facts.ok && file.facts.plugin)
		return `It is a plugin for Paper or a proxy, not a mod; ${here}.`;
	const made = [...new Set(described.map(({ loader }) => LOADERS[loader] ?? loader))];
	if (made.length) return `It is made for ${listed(made)}; ${here}.`;
	if (file.facts.ok && file.facts.library) return `It is a part of Forge or NeoForge; ${here}.`;
	return `It does not say which mod it is; ${here}, which ignores such jars.`;
}

function clientOnly(entry: Entry, { side, server }: Context): ModProblem[] {
	if (side !== 'client' || server.loader === null) return [];
	const message = entry.own.some((mod) => mod.side === 'client')
		? 'It is for players only and can keep the server from starting.'
		: 'The registry lists it as for players only: on a server it is of no use, and can keep it from starting.';
	return [{ code: 'client-only', message }];
}

/** Enabled files with a mod in common, or with the same content. */
export function sharedIds(entries: Entry[]): Map<Entry, Entry[]> {
	const groups = new Map<string, Set<Entry>>();
	for (const entry of entries) {
		if (!entry.active) continue;
		const keys = entry.own.map(({ modId }) => `mod ${modId.toLowerCase()}`);
		if (entry.file.sha512) keys.push(`file ${entry.file.sha512}`);
		for (const key of keys) groups.set(key, (groups.get(key) ?? new Set()).add(entry));
	}
	const twins = new Map<Entry, Entry[]>();
	for (const group of groups.values()) {
		if (group.size < 2) continue;
		for (const entry of group)
			twins.set(entry, [
				...new Set([...(twins.get(entry) ?? []), ...[...group].filter((other) => other !== entry)])
			]);
	}
	return twins;
}

function duplicates(entry: Entry, twins: Map<Entry, Entry[]>): ModProblem[] {
	const others = twins.get(entry);
	if (!others) return [];
	const names = others.map(({ file }) => shownName(file.fileName)).join(', ');
	const what = entry.own[0] ? `The same mod (${entry.own[0].modId})` : 'The same file';
	return [{ code: 'duplicate', message: `${what} is also in ${names}: keep one of them.` }];
}

function unmet({ needs, pool, server }: Context): ModProblem[] {
	const missing = needs.requires.filter(
		({ modId, satisfiedBy }) =>
			satisfiedBy === null && !needs.wrong.some(({ dependency }) => dependency.modId === modId)
	);
	return [
		...missing.map((need) => missingOne(need, pool)),
		...needs.wrong.map((clash) => wrongVersion(clash, 'It needs')),
		...needs.incompatible.map((clash) => incompatibleOne(clash)),
		...needs.wrongOptional.map((clash) => wrongVersion(clash, 'It only works with'))
	].filter(({ code }) => server.loader !== null || code !== 'missing-dependency');
}

function missingOne(dependency: JarDependency, pool: Pool): ModProblem {
	const asleep = pool.disabled(dependency.modId);
	const where = asleep ? `which is disabled (${shownName(asleep)})` : 'which is not there';
	return { code: 'missing-dependency', message: `It needs ${nameOf(dependency)}, ${where}.` };
}

function wrongVersion({ dependency, provider }: Clash, verb: string): ModProblem {
	return {
		code: dependency.modId === 'minecraft' ? 'wrong-game-version' : 'wrong-dependency-version',
		message: `${verb} ${nameOf(dependency, provider.name)}; here it is ${provider.version}.`
	};
}

function incompatibleOne({ dependency, provider }: Clash): ModProblem {
	const shown = [provider.name, provider.version].filter(Boolean).join(' ');
	const file = provider.entry ? ` (${shownName(provider.by)})` : '';
	return {
		code: dependency.modId === 'minecraft' ? 'wrong-game-version' : 'incompatible',
		message: `It is incompatible with ${shown}${file}.`
	};
}

const nameOf = ({ modId, range }: JarDependency, name?: string) =>
	`${BUILT_IN.get(modId) ?? name ?? modId}${range === '*' ? '' : ` ${range}`}`;

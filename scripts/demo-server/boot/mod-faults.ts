import { networkInterfaces } from 'node:os';
import type { Options } from '../options.ts';
import type { ModFault } from '../seed/seed-mods.ts';
import { findMod, type Mod } from './mods.ts';

const DIE_AFTER_READY_MS = 3000;

const of = (mods: Mod[], kind: ModFault) => mods.find(({ fault }) => fault?.kind === kind);

/** The switches as the mods set them; what somebody set by hand stays, unless it is of a mod that is not there. */
export function withModFaults(options: Options, mods: Mod[]): Options {
	const refuser = of(mods, 'refuse');
	if (refuser)
		return { ...options, failWithMod: there(options.failWithMod, mods) ?? wanted(refuser) };
	if (of(mods, 'hang')) return { ...options, hangInBoot: true, ignoreStop: true };
	const killer = of(mods, 'die');
	return killer ? dying(options, killer, mods) : options;
}

/** The same once the world is known: some mods reject one that existed before them. */
export function withWorldFaults(options: Options, mods: Mod[], world: { fresh: boolean }): Options {
	const killer = of(mods, 'old-world');
	return killer && !world.fresh ? dying(options, killer, mods) : options;
}

const wanted = ({ id, version }: Mod) => `${id}@${version}`;
const there = (named: string | null, mods: Mod[]) =>
	named !== null && findMod(mods, named) ? named : null;
const dying = (options: Options, mod: Mod, mods: Mod[]): Options => ({
	...options,
	dieWithMod: there(options.dieWithMod, mods) ?? wanted(mod),
	dieAfterReadyMs: options.dieAfterReadyMs ?? DIE_AFTER_READY_MS / options.speed
});

/** The first mod that throws on initialization, with what it throws; null when none does. */
export function thrownBy(mods: Mod[]): { mod: Mod; error: string } | null {
	for (const mod of mods) {
		const error = errorOf(mod, mods);
		if (error) return { mod, error };
	}
	return null;
}

function errorOf({ fault }: Mod, mods: Mod[]): string | null {
	const other = mods.find(({ id }) => id === fault?.with);
	switch (fault?.kind) {
		case 'crash':
			return 'java.lang.NullPointerException: Cannot invoke "java.util.Map.get(Object)" because "this.voices" is null';
		case 'lacks':
			return other
				? null
				: `java.lang.NoClassDefFoundError: dev/demo/${fault.with?.replaceAll('-', '_')}/Api`;
		case 'clash':
			return other
				? `java.lang.IllegalStateException: Registry is already frozen by ${other.id}`
				: null;
		case 'flaky':
			return Math.random() < 0.5
				? 'java.util.ConcurrentModificationException: The coin fell on its edge'
				: null;
		case 'online':
			return isOnline() ? null : 'java.net.UnknownHostException: weather.example.org';
		default:
			return null;
	}
}

const isOnline = () =>
	Object.values(networkInterfaces()).some((all) => all?.some(({ internal }) => !internal));

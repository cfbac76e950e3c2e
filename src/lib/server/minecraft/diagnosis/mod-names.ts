/** A mod as an error names it: its id, or its jar's name where no id is known. */
export type Mod = { id: string; name: string | null };

/** Not mods, though errors name them as if they were. */
const PLATFORM = new Set(
	(
		'minecraft java forge neoforge fml fabricloader fabric-loader quilt_loader quilted_fabric_loader mixin ' +
		'mixinextras javafml lowcodefml mclanguage modlauncher'
	).split(' ')
);
export const isPlatform = (id: string) => PLATFORM.has(id.toLowerCase());

/** Jars of the game, the loaders and their libraries, which appear in every trace. */
const PLATFORM_JAR =
	/^(?:server|client|minecraft|forge|neoforge|fml|javafml|mclanguage|loader-|modlauncher|securejar|bootstrap|eventbus|mixin|sponge-mixin|fabric-loader|quilt-loader|netty|log4j|guava|gson|fastutil|datafixer|brigadier|authlib|asm|accesstransformers|coremods|paper|purpur|spigot|patched|intermediary)/i;

/** Forge and NeoForge name the mod of a class; mixins carry their mod's id in the method's name. */
const FRAME_IDS = [
	/TRANSFORMER\/([a-z][\w.-]{1,63})@/,
	/(?:handler|redirect|modify\w{0,20}|wrap\w{0,20}|localvar|constant)\$[a-z]{3}\d{3}\$([a-z][\w-]{1,63})\$/
];
const FRAME_JAR = /\[([\w+.() -]{1,120}?\.jar)[%:!]/;

/** The mods whose code appears in a trace, from the top; jars only when no line has an id. */
export function modsInFrames(frames: string[]): Mod[] {
	const ids = frames.flatMap((frame) => {
		const id = FRAME_IDS.map((pattern) => pattern.exec(frame)?.[1]).find(Boolean);
		return id && !isPlatform(id) ? [id] : [];
	});
	const jars = frames.flatMap((frame) => {
		const jar = FRAME_JAR.exec(frame)?.[1];
		return jar && !PLATFORM_JAR.test(jar) ? [jar] : [];
	});
	return [...new Set(ids.length ? ids : jars)].map((id) => ({ id, name: null }));
}

/** `Freecam (freecam)`, or the id alone. */
export const label = ({ id, name }: Mod) => {
	if (!name) return id;
	return name.toLowerCase() === id.toLowerCase() ? name : `${name} (${id})`;
};

export const list = (mods: Mod[]) => listed(mods.map(label), 4);

import { listed } from '#schemas/plain/words/listed';

import { listed } from '#schemas/plain/listed';
import type { Backup, BackupRestore } from '#schemas/backup';
import type { Stored, Sidecar } from '#storage/archive';
import { createdAt } from './upkeep.ts';
import { worldOf } from './restore/index.ts';
import { compareGameVersions } from './versions.ts';

/** `online`: they are playing now. */
export type Known = {
	uuid: string;
	name: string | null;
	lastSeenAt: string | null;
	online: boolean;
};

/** What a person must know before a restore. */
export type RestorePlan = {
	backup: Backup;
	/** What replaces the current files. */
	replaced: string[];
	/** Sentences: what will be lost, and what happens to the server. */
	lost: string[];
	/** Players who have played since; they lose what they did. */
	players: Known[];
	/** Why the restore cannot be done, in a sentence. */
	refusal: string | null;
};

export function toBackup(stored: Stored, now: { running: boolean; verifying: boolean }): Backup {
	if (stored.state !== 'sealed') {
		const running = stored.state === 'partial' && now.running;
		return {
			...{ id: stored.id, createdAt: createdAt(stored.id), bytes: stored.bytes, kind: 'manual' },
			...{ state: running ? 'running' : 'incomplete', worldBytes: null, files: null, note: '' },
			...{ pinned: false, verifiedAt: null, worlds: [], gameVersion: null, withMods: false },
			...{ warnings: [], problem: running ? null : stored.problem }
		};
	}
	const {
		id,
		createdAt: at,
		bytes,
		kind,
		totals,
		note,
		pinned,
		verifiedAt,
		problem
	} = stored.sidecar;
	const { worlds, gameVersion, withMods, warnings } = stored.sidecar;
	return {
		...{ id, createdAt: at, bytes, kind, state: problem === null ? 'complete' : 'damaged' },
		...{ worldBytes: totals.worldBytes, files: totals.files, note, pinned, verifiedAt },
		...{ worlds: worlds.map(({ name }) => name), gameVersion, withMods, warnings, problem },
		...(now.verifying && { verifying: true })
	};
}

type Facts = {
	backup: Backup;
	sidecar: Sidecar;
	wish: BackupRestore;
	refusal: string | null;
	/** Of the installed server. */
	gameVersion: string | null;
	running: boolean;
	players: RestorePlan['players'];
};

export function restorePlan({ backup, sidecar, wish, refusal, ...facts }: Facts): RestorePlan {
	const world = wish.scope === 'all' ? null : worldOf(sidecar, wish.world);
	const replaced =
		wish.scope === 'all'
			? sidecar.roots
			: wish.scope === 'world'
				? [world!.path]
				: [`Inventory, position, statistics and advancements of this player in ${world!.name}`];
	const lost: string[] = [];
	if (wish.scope === 'player')
		lost.push(`What this player has done since this backup is undone; the world stays as it is.`);
	else
		lost.push(
			`Everything built, found and changed in ${worldWord(backup.worlds, world?.name)} since this backup is undone.`
		);
	if (wish.scope === 'all') lost.push(...wholeWords(sidecar));
	if (facts.running)
		lost.push(
			'The server is stopped for it, and started and verified afterwards; if that fails, everything comes back as it is now.'
		);
	lost.push('What is there now is kept beside it until the next good start of the server.');
	if (refusal === null && (facts.gameVersion === null || sidecar.gameVersion === null))
		lost.push(
			'The game versions of the backup and of the server could not be compared: worlds of a newer version cannot be opened.'
		);
	lost.push(...versionWords(sidecar, facts.gameVersion, wish));
	if (sidecar.warnings.length > 0)
		lost.push(`The backup was made with warnings: ${sidecar.warnings[0]}`);
	return {
		backup,
		replaced,
		lost,
		players:
			wish.scope === 'player'
				? facts.players.filter(({ uuid }) => uuid === wish.uuid)
				: facts.players,
		refusal
	};
}

const worldWord = (worlds: string[], one: string | undefined) =>
	worlds.length === 1 ? 'the world' : one === undefined ? 'the worlds' : `the world “${one}”`;

/** A newer game opens the world of an older one, and changes it for good. A refusal is told elsewhere. */
function versionWords(
	{ gameVersion: made, roots }: Sidecar,
	installed: string | null,
	{ scope }: BackupRestore
): string[] {
	if (made === null || installed === null || made === installed) return [];
	if ((compareGameVersions(installed, made) ?? 1) < 0) return [];
	if (scope === 'player')
		return [`This player’s data is of Minecraft ${made}: ${installed} converts it when they join.`];
	const mods =
		scope === 'all' && roots.includes('mods')
			? [`The mods of then were made for ${made}: they may not run with ${installed}.`]
			: [];
	return [
		`The backup is of Minecraft ${made}, and the server runs ${installed} now: it will open this world and convert it, so ${made} cannot open it any more. The game itself is not restored.`,
		...mods
	];
}

function wholeWords({ roots }: Sidecar): string[] {
	const lists = ['ops.json', 'whitelist.json', 'banned-players.json', 'banned-ips.json'].filter(
		(name) => roots.includes(name)
	);
	const words: string[] = [];
	if (lists.length > 0)
		words.push(
			`Operators, whitelist and bans are as they were then (${listed(lists)}): whoever has lost rights since then gets them back.`
		);
	if (roots.includes('server.properties'))
		words.push('server.properties is as it was then, with its ports and its RCON password.');
	words.push(
		roots.includes('mods')
			? 'The mods are those of then.'
			: 'The mods stay as they are: they are not in this backup.'
	);
	return words;
}

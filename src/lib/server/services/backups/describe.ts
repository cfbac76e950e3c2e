import type { Backup, BackupRestore } from '#schemas/backup';
import type { Operation } from '#schemas/operation';
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
	/** What goes back to what it was: the files, each named once, and what that means; no files for parts of some. */
	parts: { files: string[]; means: string }[];
	/** Sentences: what else is to be known. */
	notes: string[];
	/** Players who have played since; they lose what they did. */
	players: Known[];
	/** Why the restore cannot be done, in a sentence. */
	refusal: string | null;
	/** The restore that this one would take back; null when it would take back none. */
	undoes: Operation['undoes'] | null;
};

export function toBackup(
	stored: Stored,
	now: { running: boolean; verify: Partial<Backup> | null }
): Backup {
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
		...now.verify
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
	undoes: RestorePlan['undoes'];
};

export function restorePlan({ sidecar, wish, refusal, ...facts }: Facts): RestorePlan {
	const notes: string[] = [];
	if (wish.scope === 'all' && !sidecar.roots.includes('mods'))
		notes.push('The mods stay as they are: they are not in this backup.');
	if (facts.running)
		notes.push(
			'The server is stopped for it, and started and verified afterwards; if that fails, everything is rolled back.'
		);
	if (refusal === null && (facts.gameVersion === null || sidecar.gameVersion === null))
		notes.push(
			'The game versions of the backup and of the server could not be compared: worlds of a newer version cannot be opened.'
		);
	notes.push(...versionWords(sidecar, facts.gameVersion, wish));
	if (sidecar.warnings.length > 0)
		notes.push(`The backup was made with warnings: ${sidecar.warnings[0]}`);
	return {
		backup: facts.backup,
		parts: partsOf(sidecar, wish),
		notes,
		players:
			wish.scope === 'player'
				? facts.players.filter(({ uuid }) => uuid === wish.uuid)
				: facts.players,
		refusal,
		undoes: facts.undoes
	};
}

const LISTS = ['ops.json', 'whitelist.json', 'banned-players.json', 'banned-ips.json'];
const UNDONE = 'Everything built, found and changed since this backup is undone.';

function partsOf(sidecar: Sidecar, wish: BackupRestore): RestorePlan['parts'] {
	const { roots, worlds } = sidecar;
	if (wish.scope === 'world')
		return [{ files: [worldOf(sidecar, wish.world).path], means: UNDONE }];
	if (wish.scope === 'player') {
		const { name } = worldOf(sidecar, wish.world);
		const means = `Inventory, position, statistics and advancements of this player in ${name}: what they have done since this backup is undone. The world stays as it is.`;
		return [{ files: [], means }];
	}
	const known = [
		{ files: worlds.map(({ path }) => path), means: UNDONE },
		{
			files: LISTS,
			means:
				'Operators, whitelist and bans are as they were then: whoever has lost rights since gets them back.'
		},
		{ files: ['server.properties'], means: 'With the ports and the RCON password from that time.' },
		{ files: ['mods'], means: 'The mods from that time.' }
	].map(({ files, means }) => ({ files: roots.filter((root) => files.includes(root)), means }));
	const named = known.flatMap(({ files }) => files);
	const others = roots.filter((root) => !named.includes(root));
	return [...known, { files: others, means: 'Configuration and settings from that time.' }].filter(
		({ files }) => files.length > 0
	);
}

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
			? [`The mods from that time were made for ${made}: they may not run with ${installed}.`]
			: [];
	return [
		`The backup is of Minecraft ${made}, and the server runs ${installed} now: it will open this world and convert it, so ${made} cannot open it any more. The game itself is not restored.`,
		...mods
	];
}

import type { Attention } from '#schemas/attention';
import type { Role } from '#schemas/common';
import type { ServerState } from '#schemas/status';
import type { Diagnosis } from '#minecraft/diagnosis';
import type { Installation } from '#minecraft/folder';

type Deps = {
	installation: () => Promise<Installation>;
	observe: () => Promise<{
		state: ServerState;
		reason: string | null;
		diagnosis: Diagnosis | null;
	}>;
	/** What the first run has not done yet; superadmins are guided through it on the same page. */
	missing: () => Promise<string[]>;
	/** Why the game must not open its world; null when it may. */
	worldRefusal: () => Promise<string | null>;
	asRoot: boolean;
	demo: boolean;
	/** What cannot be written at the moment, such as `the audit log`. */
	unwritten: () => Unwritten[];
	/** What backups have to report. */
	concerns: () => Promise<Pick<Attention, 'code' | 'title' | 'detail' | 'advice'>[]>;
};

/** `lost`: the number of entries lost. */
export type Unwritten = { what: string; lost: number; why: string };

type Item = Pick<Attention, 'code' | 'title' | 'detail'> & Partial<Attention>;
const item = (facts: Item): Attention => ({ advice: null, lines: [], ...facts });

/** A pause must not get a server killed. */
const PAUSE = 'A short pause, such as a large save, ends by itself.';
const SILENT_ADVICE: Record<Role, string> = {
	admin: `${PAUSE} If this lasts for minutes, press Stop; if that does not help, a superadmin can kill the server.`,
	superadmin: `${PAUSE} If this lasts for minutes, look into the logs and press Stop; if that does not help either, press Kill, which loses what the game has not saved.`
};

const WORLD_ADVICE: Record<Role, string> = {
	admin: 'The server is not started until this is put right. A superadmin can start it all the same, once.',
	superadmin:
		'The server is not started until this is put right. To start it all the same, once, make a backup first.'
};

/** What needs attention, most urgent first; nothing secret. */
export function createAttention({
	installation,
	observe,
	missing,
	worldRefusal,
	asRoot,
	demo,
	unwritten,
	concerns
}: Deps) {
	return async (viewer: Role): Promise<Attention[]> => {
		const [{ state, reason, diagnosis }, found] = await Promise.all([observe(), installation()]);
		const items: Attention[] = [];

		if (state === 'crashed')
			items.push(
				item({
					code: 'crashed',
					title: 'The server crashed',
					detail: reason ?? diagnosis?.message ?? 'It ended without being asked to.',
					advice: diagnosis?.advice ?? null,
					lines: diagnosis?.log ?? []
				})
			);
		if (state === 'unknown')
			items.push(
				item({
					code: 'unknown',
					title: 'The server does not answer',
					detail: reason ?? 'The dashboard could not find out why.',
					advice: SILENT_ADVICE[viewer]
				})
			);
		const refusal = await worldRefusal();
		if (refusal)
			items.push(
				item({
					code: 'world',
					title: 'The world does not fit the game',
					detail: refusal,
					advice: WORLD_ADVICE[viewer]
				})
			);
		const lost = unwritten();
		if (lost.length) items.push(item(notWritten(lost)));
		items.push(...(await concerns()).map(item));
		const open = viewer === 'superadmin' ? [] : await missing();
		if (open.length)
			items.push(
				item({
					code: 'setup',
					title: 'Setting up the server is not finished',
					detail: `Still to do: ${open.join(', ')}.`,
					advice: 'A superadmin can do this on the overview.'
				})
			);
		// Without a command, this is what the first run is about.
		if (found.problem && found.command)
			items.push(
				item({
					code: 'folder',
					title: 'The server folder has a problem',
					detail: found.problem
				})
			);
		if (asRoot && !demo)
			items.push(
				item({
					code: 'root',
					title: 'The dashboard runs as root',
					detail: 'Anyone who breaks into it, or into a mod, controls the whole machine.',
					advice: 'Run it as the user that owns the server folder.'
				})
			);
		return items;
	};
}

function notWritten(lost: Unwritten[]): Item {
	const what = lost.map((one) => one.what).join(' and ');
	const entries = lost.reduce((sum, one) => sum + one.lost, 0);
	return {
		code: 'not-written',
		title: 'What happens is not recorded',
		detail: `New entries of ${what} cannot be written: ${lost[0]!.why}. So far ${entries} ${entries === 1 ? 'is' : 'are'} lost.`,
		advice: 'Make room on the disk of the data directory, and check that it may be written.'
	};
}

import CircleAlert from '@lucide/svelte/icons/circle-alert';
import CircleCheck from '@lucide/svelte/icons/circle-check';
import LoaderCircle from '@lucide/svelte/icons/loader-circle';
import ShieldCheck from '@lucide/svelte/icons/shield-check';
import Unplug from '@lucide/svelte/icons/unplug';
import { withoutIds } from '$lib/schemas/plain/words/without-ids';
import { toTheMinute } from '$lib/ui/format/format';
import type { Backup } from '$lib/schemas/backup';
import type { Snapshot, SnapshotChanges } from '$lib/schemas/snapshot';
import type { ServerState } from '$lib/schemas/status';
import type { IconPath } from '$lib/ui/base/icon';
import type { Tone } from '$lib/game/labels';

/** How backups and snapshots are labelled; pure. */
type Variant = { word: string; icon: IconPath; tone: Tone; spin?: boolean };
/** Nobody has looked into it since. */
export const COMPLETE: Variant = { word: 'Complete', icon: CircleCheck, tone: 'calm' };
const STATES: Record<Backup['state'], Variant> = {
	running: { word: 'Being made', icon: LoaderCircle, tone: 'changing', spin: true },
	complete: COMPLETE,
	incomplete: { word: 'Incomplete', icon: Unplug, tone: 'unsure' },
	damaged: { word: 'Damaged', icon: CircleAlert, tone: 'bad' }
};
export const backupVariant = ({ state, verifiedAt, verifying }: Backup): Variant => {
	if (verifying)
		return { word: 'Being verified', icon: LoaderCircle, tone: 'changing', spin: true };
	return state === 'complete' && verifiedAt
		? { word: 'Verified', icon: ShieldCheck, tone: 'calm' }
		: STATES[state];
};

/** How the verify of the backup stands, or what the last one came to; null when there was none, or its problem says it. */
export function verifyWords({ verifying, verifyProblem, verifiedAt, problem }: Backup) {
	if (verifying) return 'The backup is being read back and compared with its manifest.';
	if (verifyProblem) return `It could not be verified. ${verifyProblem}`;
	return verifiedAt && !problem ? 'Verified: everything in it is as it was backed up.' : null;
}

const SNAPSHOT_REASONS: Record<Snapshot['reason'], string> = {
	manual: 'By hand',
	install: 'Before an install',
	update: 'Before an update',
	enable: 'Before enabling a mod',
	disable: 'Before disabling a mod',
	remove: 'Before a removal',
	restore: 'Before a restore',
	upgrade: 'Before an upgrade of the game'
};

/** The same where it is known what was changed. */
const SNAPSHOT_ABOUT: Partial<Record<Snapshot['reason'], string>> = {
	install: 'Before installing',
	update: 'Before updating to',
	enable: 'Before enabling',
	disable: 'Before disabling',
	remove: 'Before removing',
	restore: 'Before restoring',
	upgrade: 'Before upgrading to'
};

/** "By hand", "Before updating to Lithium 0.13.1 and Wick 2.0". */
export function snapshotTitle({ reason, subject }: Pick<Snapshot, 'reason' | 'subject'>): string {
	const about = SNAPSHOT_ABOUT[reason];
	return about && subject
		? `${about} ${withoutIds(subject, toTheMinute)}`
		: SNAPSHOT_REASONS[reason];
}

/** Who did it: an account, or the dashboard by itself. */
export const byWords = (by: string) =>
	by === 'schedule' ? 'by a scheduled task' : by === 'dashboard' ? 'by the dashboard' : `by ${by}`;

const FAILS = 'If it does not come up healthy, everything is rolled back automatically';
/** What putting back a snapshot means for the server as it is now. */
export function whatServerDoes(state: ServerState): string {
	if (state === 'crashed')
		return `The server has crashed, so it is started with them, and keeps running if it comes up healthy. ${FAILS}, and it stays stopped.`;
	if (state === 'stopped')
		return `The server is stopped: it is started only to try them, and stopped again. ${FAILS}.`;
	return `The server is started again afterwards. ${FAILS}.`;
}

/** A snapshot is of what is there now. */
export const isSame = ({ back, away, changed, others }: SnapshotChanges) =>
	![back, away, changed, others].some(({ length }) => length);

/** Only a complete one can be restored. */
export const restorable = ({ state }: Backup) => state === 'complete';

import CircleAlert from '@lucide/svelte/icons/circle-alert';
import CircleCheck from '@lucide/svelte/icons/circle-check';
import LoaderCircle from '@lucide/svelte/icons/loader-circle';
import ShieldCheck from '@lucide/svelte/icons/shield-check';
import Unplug from '@lucide/svelte/icons/unplug';
import type { Backup } from '$lib/schemas/backup';
import type { Snapshot, SnapshotChanges } from '$lib/schemas/snapshot';
import type { IconPath } from '$lib/ui/base/icon';
import type { Tone } from '$lib/game/labels';

/** How backups and snapshots are labelled; pure. */
type Variant = { word: string; icon: IconPath; tone: Tone; spin?: boolean };
const STATES: Record<Backup['state'], Variant> = {
	running: { word: 'Being made', icon: LoaderCircle, tone: 'changing', spin: true },
	complete: { word: 'Complete', icon: CircleCheck, tone: 'calm' },
	incomplete: { word: 'Incomplete', icon: Unplug, tone: 'unsure' },
	damaged: { word: 'Damaged', icon: CircleAlert, tone: 'bad' }
};
export const backupVariant = ({ state, verifiedAt }: Backup): Variant =>
	state === 'complete' && verifiedAt
		? { word: 'Verified', icon: ShieldCheck, tone: 'calm' }
		: STATES[state];

export const SNAPSHOT_REASONS: Record<Snapshot['reason'], string> = {
	manual: 'By hand',
	install: 'Before an install',
	update: 'Before an update',
	enable: 'Before enabling a mod',
	disable: 'Before disabling a mod',
	remove: 'Before a removal',
	restore: 'Before a restore',
	upgrade: 'Before an upgrade of the game'
};

/** Who did it: an account, or the dashboard by itself. */
export const byWords = (by: string) =>
	by === 'schedule' ? 'by a scheduled task' : by === 'dashboard' ? 'by the dashboard' : `by ${by}`;

/** A snapshot is of what is there now. */
export const isSame = ({ back, away, changed, others }: SnapshotChanges) =>
	![back, away, changed, others].some(({ length }) => length);

/** Only a complete one can be restored. */
export const restorable = ({ state }: Backup) => state === 'complete';

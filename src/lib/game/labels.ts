import { NEEDED, withoutNeeded, withVerb } from '$lib/schemas/plain/words/needed';
import CircleAlert from '@lucide/svelte/icons/circle-alert';
import CircleCheck from '@lucide/svelte/icons/circle-check';
import CircleQuestionMark from '@lucide/svelte/icons/circle-question-mark';
import CircleStop from '@lucide/svelte/icons/circle-stop';
import Hourglass from '@lucide/svelte/icons/hourglass';
import LoaderCircle from '@lucide/svelte/icons/loader-circle';
import OctagonAlert from '@lucide/svelte/icons/octagon-alert';
import TriangleAlert from '@lucide/svelte/icons/triangle-alert';
import Undo2 from '@lucide/svelte/icons/undo-2';
import Ban from '@lucide/svelte/icons/ban';
import Unplug from '@lucide/svelte/icons/unplug';
import type {
	CulpritResult,
	OperationKind,
	OperationRow,
	OperationState,
	Step,
	StepStatus
} from '$lib/schemas/operation';
import { modsWord } from '$lib/schemas/mod-page';
import { blamed } from '$lib/schemas/plain/blamed';
import { whyOfKept } from '$lib/schemas/plain/kept';
import { NOT_TRIED, STAYED_UP, UP_AFTER_CRASH } from '$lib/schemas/plain/limits';
import { duration } from '$lib/schemas/plain/words/duration';
import { listed } from '$lib/schemas/plain/words/listed';
import {
	operationStateWord,
	OPERATION_WORDS,
	rollsBack
} from '$lib/schemas/plain/words/operation-words';
import { sentenceCase } from '$lib/schemas/plain/words/sentence-case';
import { plainWords } from '$lib/schemas/plain/words/plain-words';
import { withoutIds } from '$lib/schemas/plain/words/without-ids';
import type { ServerState, Status } from '$lib/schemas/status';
import { bytes, fullTime } from '$lib/ui/format/format';
import type { IconPath } from '$lib/ui/base/icon';

export type Tone = 'good' | 'calm' | 'changing' | 'off' | 'bad' | 'unsure';
type Variant = {
	word: string;
	/** Where there is room for more than a word or two. */
	headline?: string;
	icon: IconPath;
	tone: Tone;
	spin?: boolean;
};

/** How a server's state is labelled and drawn, everywhere. */
const STATES: Record<ServerState, Variant> = {
	running: { word: 'Running', icon: CircleCheck, tone: 'good' },
	starting: { word: 'Starting', icon: LoaderCircle, tone: 'changing', spin: true },
	stopping: { word: 'Stopping', icon: LoaderCircle, tone: 'changing', spin: true },
	stopped: { word: 'Stopped', icon: CircleStop, tone: 'off' },
	crashed: { word: 'Crashed', icon: OctagonAlert, tone: 'bad' },
	unknown: { word: 'No answer', icon: CircleQuestionMark, tone: 'unsure' }
};

/** Players can join it, and that is all that is known of it. */
const ANSWERS: Variant = {
	...STATES.unknown,
	word: 'Answers',
	headline: 'Answers players, but its process is not visible'
};

/** It runs and has not answered for longer than any pause. */
const HANGS: Variant = { word: 'Not responding', icon: OctagonAlert, tone: 'bad' };

/** It loads for far longer than usual. */
const LATE: Variant = {
	...STATES.starting,
	headline: 'Taking unusually long to start',
	icon: TriangleAlert,
	spin: false
};

/** The connection to the dashboard is lost: nobody can say. */
export const NOT_KNOWN: Variant = {
	word: 'Not known',
	icon: CircleQuestionMark,
	tone: 'unsure',
	spin: false
};

/** Something answers where the server should, and its process is not seen: nothing can be done to it from here. */
export const isUnseen = ({ state, online }: Pick<Status, 'state' | 'online'>) =>
	state === 'unknown' && online;

/** Then the words for it; null otherwise. */
export const unseenReason = (status: Pick<Status, 'state' | 'online' | 'reason'>) =>
	isUnseen(status) ? status.reason : null;

/** It runs, and something is wrong with it, such as one missed answer. */
export const isTroubled = ({ state, reason }: Pick<Status, 'state' | 'reason'>) =>
	state === 'running' && reason !== null;

/** Of a server that runs and should answer, and does not; null of every other. */
export const noAnswer = (status: Pick<Status, 'state' | 'online' | 'hanging'>) => {
	if (status.state !== 'unknown' || isUnseen(status)) return null;
	return status.hanging ? 'The server is not responding now.' : 'The server does not answer now.';
};

/** As in `STATES`, but what answers is not said to give no answer, nor a server that is not there to be stopped. */
export function stateOf(
	status: Pick<Status, 'state' | 'online' | 'hanging'>,
	isThere = true
): Variant {
	if (isUnseen(status)) return ANSWERS;
	if (status.hanging && status.state === 'starting') return LATE;
	// One that is stopping is drawn as such: what hangs is told in words beside it.
	if (status.hanging && status.state !== 'stopping') return HANGS;
	const absent = !isThere && status.state === 'stopped';
	return absent ? { ...STATES.stopped, word: 'No server yet' } : STATES[status.state];
}

const OPERATION_STATES: Record<OperationState, Omit<Variant, 'word'>> = {
	running: { icon: LoaderCircle, tone: 'changing', spin: true },
	succeeded: { icon: CircleCheck, tone: 'calm' },
	failed: { icon: CircleAlert, tone: 'bad' },
	'rolled-back': { icon: Undo2, tone: 'changing' },
	cancelled: { icon: Ban, tone: 'off' },
	interrupted: { icon: Unplug, tone: 'unsure' }
};

type Outcome = Pick<Ended, 'state' | 'cause' | 'killedBy' | 'unclean' | 'crashed' | 'hung'> &
	Partial<Pick<Ended, 'kind' | 'result' | 'steps'>>;
/**
 * How an operation's state is labelled and drawn: that a server takes its time is no failure, and what has lost something
 * no plain success.
 */
export function operationVariant(operation: Outcome): Variant {
	const { kind, state, cause, killedBy, unclean, crashed, hung, result } = operation;
	const word = operationStateWord(operation);
	const as = (variant: Partial<Variant>) => ({ ...OPERATION_STATES[state], ...variant, word });
	if (state === 'failed' && cause?.loading) return as({ icon: Hourglass, tone: 'changing' });
	// The server was kept from it, or was never touched.
	if (state === 'failed' && (cause?.onCopy || kind === 'culprit')) return as({ tone: 'changing' });
	// What it has found is no good news, and no trouble of its own.
	if (state === 'succeeded' && kind === 'culprit')
		return as({ tone: 'off', icon: result?.culprits.length ? CircleCheck : CircleQuestionMark });
	if (state === 'succeeded' && (killedBy || unclean || crashed || hung))
		return as({ icon: CircleAlert, tone: 'changing' });
	return as({});
}

/** What it is about, without the ids that only programs read. */
export const named = (subject: string) => withoutIds(subject, fullTime);

/** "Restart server", "Update Lithium", "Update 5 mods and add 1 dependency", "Undo the restore of the backup of …". */
export const operationTitle = ({ kind, subject, undoes }: Titled) => {
	if (undoes) return `Undo the restore of ${named(undoes.subject)}`;
	if (!subject) return OPERATION_WORDS[kind];
	const among = kind === 'culprit' ? ' among' : '';
	return `${OPERATION_WORDS[kind]}${among} ${withVerb(kind, named(subject), 'add')}`;
};

type Titled = {
	kind: OperationKind;
	subject: string | null;
	undoes?: { subject: string } | undefined;
};

/** The same numbers where a title is too long: "Update 5, add 1", "Remove 3 mods"; `count` is how many in all. */
export function shortTitle(
	{ kind, subject }: { kind: OperationKind; subject: string | null },
	count: number
): string {
	const needed = Number(NEEDED.exec(subject ?? '')?.[1] ?? 0);
	if (!needed) return `${OPERATION_WORDS[kind]} ${modsWord(count)}`;
	const rest = kind === 'update' ? `, add ${needed}` : ` and ${needed} more`;
	return `${OPERATION_WORDS[kind]} ${count - needed}${rest}`;
}

const SHORT: Partial<Record<OperationKind, string>> = {
	culprit: 'search',
	java: 'Java',
	create: 'set-up',
	'change-software': 'change',
	'go-back': 'way back'
};
/** What is under way, in a word that has room on a phone. */
export const inAWord = (operation: Pick<OperationRow, 'kind'> & Parameters<typeof rollsBack>[0]) =>
	rollsBack(operation) ? 'rollback' : (SHORT[operation.kind] ?? operation.kind);

const DOING: Partial<Record<OperationKind, string>> = {
	start: 'The server is being started.',
	stop: 'The server is being stopped.',
	restart: 'The server is being restarted.',
	backup: 'A backup is being made.',
	modpack: 'The modpack is being built.',
	culprit: 'The mod to blame is being searched for.',
	java: 'Java is being fetched.',
	create: 'The server is being set up.',
	import: 'The pack is being imported.',
	'change-software': 'The server is being changed to another build.',
	upgrade: 'The server is being upgraded to another game version.',
	'go-back': 'The server is going back to another game version.'
};

/** What is in progress, in one sentence. */
export function doing({ kind, subject, undoes }: Titled): string {
	if (undoes) return `The restore of ${named(undoes.subject)} is being undone.`;
	if (kind === 'restore') {
		const what = subject ? named(subject) : 'a backup';
		return `${what[0]!.toUpperCase()}${what.slice(1)} is being restored.`;
	}
	return DOING[kind] ?? `The mods are being changed${subject ? `: ${named(subject)}` : ''}.`;
}

/** What was done, never how it is now: the server may have crashed since. */
const SUCCESS: Partial<Record<OperationKind, string>> = {
	start: 'Done: the server was started.',
	stop: 'Done: the server was stopped.',
	restart: 'Done: the server was restarted.',
	backup: 'Done: the backup is complete.',
	modpack: 'Done: the pack for players is built.',
	culprit: 'Done: the search for the mod to blame is over.',
	java: 'Done: the new Java is here.',
	create: 'Done: the server was set up and started.',
	import: 'Done: the server was set up with the pack and started.',
	'change-software': 'Done: the server was changed to the new build.',
	upgrade: 'Done: the game was upgraded, and the server came up well with it.',
	'go-back': 'Done: the game, the mods, the settings and the world from that time are back.'
};

const DONE: Partial<Record<OperationKind, string>> = {
	install: 'installed',
	update: 'updated',
	enable: 'enabled',
	disable: 'disabled',
	remove: 'removed',
	restore: 'restored'
};

type Ended = {
	/** Of a restore that takes back another one. */
	undoes?: { subject: string } | undefined;
	kind: OperationKind;
	subject: string | null;
	state: OperationState;
	cause: { message: string; loading?: true | undefined; onCopy?: true | undefined } | null;
	/** Absent in a summary. */
	steps?: { id: string; detail: string | null; status?: StepStatus }[];
	result?: CulpritResult | undefined;
	/** What was done and stays, of one that failed all the same. */
	kept?: string | undefined;
	/** Who killed the server while it was to end. */
	killedBy?: string | undefined;
	/** How else it did not end cleanly then. */
	unclean?: string | undefined;
	finishedAt?: string | null | undefined;
	/** The server that it had started, soon after. */
	crashed?: { at: string } | undefined;
	hung?: { at: string } | undefined;
};

/** How the server fared that it had started. */
export type Fared = Pick<Ended, 'finishedAt' | 'crashed' | 'hung'>;

const LOST = 'What it had not saved is lost.';
/** Of a success: what it has cost that the server did not end cleanly meanwhile; null when it did. */
const lost = ({ kind, killedBy, unclean }: Pick<Ended, 'kind' | 'killedBy' | 'unclean'>) => {
	if (unclean) return unclean;
	if (!killedBy) return null;
	// Its headline names who asked for it.
	return kind === 'restart' ? LOST : `${killedBy} killed the server while it was stopping. ${LOST}`;
};
/** Of a change of mods that has started the server. */
const isUpAgain = ({ steps = [] }: Ended) =>
	steps.some(({ detail }) => detail === STAYED_UP || detail === UP_AFTER_CRASH);
/** What has become of the server that it had started: "crashed 1.4 s later"; null when nothing is known. */
export function troubleLater({ finishedAt, crashed, hung }: Fared) {
	const trouble = crashed ?? hung;
	if (!trouble || !finishedAt) return null;
	const what = crashed ? 'crashed' : 'stopped responding';
	const ms = Date.parse(trouble.at) - Date.parse(finishedAt);
	return ms < 1000 ? `${what} at once` : `${what} ${duration(ms)} later`;
}
/** It did not stay so. */
const CAME_UP = /, and the server came up (?:healthy again|well with it)(?=\.$)/;
const succeeded = (operation: Ended) => {
	const done = wasDone(operation);
	const later = troubleLater(operation);
	if (!later) return done;
	const what = sentenceCase(
		done
			.replace(CAME_UP, '')
			.replace(/^Done: /, '')
			.replace(/\.$/, '')
	);
	return `${what}: ${what.startsWith('The server') ? 'it' : 'the server'} came up healthy, and ${later}.`;
};
const wasDone = (operation: Ended) => {
	const { kind, subject, killedBy, unclean, undoes } = operation;
	if (undoes) return `Done: undid the restore of ${named(undoes.subject)}.`;
	if (kind === 'restart' && killedBy)
		return `The server was killed and started again, as ${killedBy} asked.`;
	if (kind === 'restart' && unclean)
		return 'The server did not stop cleanly, and was started again.';
	if (SUCCESS[kind]) return SUCCESS[kind];
	const what = withVerb(kind, subject ? named(subject) : 'what was asked for', 'added');
	return `Done: ${DONE[kind]} ${what}${isUpAgain(operation) ? ', and the server came up healthy again' : ''}.`;
};

/** How the operation ended, in one sentence; null while it runs. */
export function ending(operation: Ended): string | null {
	const { state, cause, kept } = operation;
	const why = whyEnded(operation);
	switch (state) {
		case 'running':
			return null;
		case 'succeeded':
			return [succeeded(operation), lost(operation)].filter(Boolean).join(' ');
		case 'failed':
			if (kept || cause?.loading || cause?.onCopy) return why;
			return why ? `Failed: ${why}` : 'Failed.';
		case 'rolled-back':
			return toldByRollback(operation) ?? `Rolled back: ${why}`;
		case 'cancelled':
			return cancelled(operation, cause?.message);
		case 'interrupted':
			return `Interrupted: ${why}`;
	}
}

/** Its last step describes the result itself. */
const toldByRollback = ({ steps }: Ended) => steps?.find(({ id }) => id === 'rollback')?.detail;

/** Why it did not do what it was to, for where the word for its end stands already; null when nothing more is known. */
export function whyEnded(operation: Ended): string | null {
	const { state, cause, kept } = operation;
	const why = cause?.message ?? null;
	if (state === 'rolled-back') {
		const told = toldByRollback(operation)?.replace(/^Rolled back: /, '');
		return told ?? why ?? 'everything is as it was before.';
	}
	if (state === 'interrupted') return why ?? 'the dashboard ended while this ran.';
	return why ?? kept ?? null;
}

const CANCELLED: Record<OperationKind, (subject: string) => string> = {
	start: () => 'Start',
	stop: () => 'Stop',
	restart: () => 'Restart',
	install: (mod) => `Installation of ${mod}`,
	update: (mod) => `Update of ${mod}`,
	enable: (mod) => `Enabling ${mod}`,
	disable: (mod) => `Disabling ${mod}`,
	remove: (mod) => `Removal of ${mod}`,
	backup: () => 'Backup',
	restore: (what) => `Restore of ${what}`,
	modpack: () => 'Build of the modpack',
	culprit: () => 'Search for the mod to blame',
	java: (version) => `Fetching ${version}`,
	create: (what) => `Setting up ${what}`,
	import: (what) => `Import of ${what}`,
	'change-software': (what) => `Change to ${what}`,
	upgrade: (what) => `Upgrade to ${what}`,
	'go-back': (what) => `Going back to ${what}`
};

/** "Update of 5 mods cancelled: nothing was changed." */
function cancelled({ kind, subject, undoes }: Ended, why: string | undefined) {
	if (undoes)
		return `Undoing the restore of ${named(undoes.subject)} cancelled: ${why ?? 'nothing was changed.'}`;
	const about = subject ? withVerb(kind, named(subject), 'add') : 'what was asked for';
	const became = kind === 'start' ? 'the server was stopped again.' : 'nothing was changed.';
	return `${CANCELLED[kind](about)} cancelled: ${why ?? became}`;
}

const FAILED: Partial<Record<OperationKind, string>> = {
	java: 'Java was not fetched.',
	create: 'The server was not set up.',
	'change-software': 'The software was not changed.',
	upgrade: 'The game was not upgraded.',
	'go-back': 'The server did not go back.',
	start: 'The server did not start.',
	stop: 'The server did not stop cleanly.',
	restart: 'The server did not come back.',
	culprit: 'The search for the mod to blame was not completed.',
	backup: 'No backup was made.',
	modpack: 'The pack for players was not built.'
};

/**
 * How the operation ended as a headline, and why, each said once. The reason is what is known (a mod, Java, a port),
 * as the diagnosis words it.
 */
export function verdict(operation: Ended): { headline: string; why: string | null } | null {
	const { kind, subject, state, cause } = operation;
	const headline = ending(operation);
	if (headline === null) return null;
	const why = cause?.message ?? null;
	switch (state) {
		case 'succeeded':
			if (kind === 'culprit') return found(operation);
			return { headline: succeeded(operation), why: lost(operation) ?? untried(operation) };
		case 'failed': {
			if (cause?.loading && !operation.kept) return { headline, why: null };
			if (operation.kept)
				return { headline: operation.kept, why: why && whyOfKept(operation.kept, why) };
			const what = subject ? withoutNeeded(named(subject)) : 'what was asked for';
			const copy = cause?.onCopy ? ' Nothing was changed, and nobody was disconnected.' : '';
			const wish = operation.undoes
				? `undo the restore of ${named(operation.undoes.subject)}`
				: `${kind} ${what}`;
			return { headline: `${FAILED[kind] ?? `Could not ${wish}.`}${copy}`, why };
		}
		case 'rolled-back':
			return { headline, why: headline.includes(why ?? '') ? null : why };
		case 'cancelled':
			return {
				headline:
					kind === 'start'
						? 'Cancelled: the server was stopped again.'
						: 'Cancelled before anything was changed.',
				why
			};
		case 'interrupted':
			return { headline: 'Interrupted: the dashboard stopped while this was running.', why };
		default:
			return { headline, why };
	}
}

/** Of a change of which only the files were changed. */
const untried = ({ steps = [] }: Ended) =>
	steps.some(({ detail }) => detail === NOT_TRIED) ? NOT_TRIED : null;

/** What a step says of the server that it had watched, which did not stay so. */
export const stepDetail = (operation: Fared, detail: string) => {
	const later = troubleLater(operation);
	return later ? detail.replace(/ and stayed so(?=\.)/, `, and ${later}`) : detail;
};

/** Whom a search found, or why nobody. */
function found({ result, steps = [] }: Ended) {
	if (result?.culprits.length) return blamed(result);
	const why = steps.find(({ id }) => id === 'search')?.detail ?? null;
	const headline = result?.named?.length
		? `Nothing was proved on copies; the log names ${listed(result.named)}.`
		: 'No mod could be blamed.';
	return { headline, why };
}

/** After these it does not matter how the server is. */
const BESIDE: OperationKind[] = ['backup', 'modpack', 'java', 'culprit', 'stop'];
export const isBeside = ({ kind }: { kind: OperationKind }) => BESIDE.includes(kind);

/** What a list says of its end beside the word for it: why it failed, or whom a search found. */
export function outcome(operation: Ended): string | null {
	const { kind, state, cause } = operation;
	if (kind === 'culprit' && state === 'succeeded') return found(operation).headline;
	return cause?.message ?? (state === 'succeeded' ? lost(operation) : null);
}

/** `12 s of 1 min 26 s`, `1.5 of 3 GB`, `40 %`: how far a step has come. */
export function progressWords({ done, total, unit }: NonNullable<Step['progress']>): string {
	if (unit === '%') return `${done} %`;
	if (unit === 'bytes') return `${bytes(done)} of ${bytes(total)}`;
	if (unit === 's') return `${done ? duration(done * 1000) : '0 s'} of ${duration(total * 1000)}`;
	return `${done} of ${total} ${unit}`;
}

export const firstSentence = (words: string) =>
	/^.+?[.!?](?=\s+["“(A-Z])/.exec(words)?.[0] ?? words;

/** For one line of a list: the first sentence of why something failed. */
export function inShort(message: string): string {
	const first = firstSentence(plainWords(message));
	return /[.!?…]$/.test(first) ? first : `${first}.`;
}

/** As many whole sentences as have room in so many characters; of a longer first one its beginning. */
export function inBrief(message: string, max: number): string {
	let brief = '';
	for (let rest = message; rest;) {
		const next = firstSentence(rest);
		if (brief && brief.length + 1 + next.length > max) break;
		brief = [brief, next].filter(Boolean).join(' ');
		rest = rest.slice(next.length).trim();
	}
	return brief.length > max ? `${brief.slice(0, max).replace(/\s+\S*$/, '')} …` : brief;
}

/** "3 players", "1 player". */
export const playersWord = (count: number) => `${count} ${count === 1 ? 'player' : 'players'}`;

/** The parts of the players' page, by the `tab` of its address. */
export const PLAYER_TAB_LABELS = {
	online: 'Online',
	ops: 'Ops',
	whitelist: 'Whitelist',
	bans: 'Bans',
	everyone: 'Everyone'
};

const SHORT_ID = 8;

/** A player's name, or what tells them apart from others without one: `Unknown 5744db97`. */
export const shownName = ({ name, uuid }: { name: string | null; uuid: string | null }): string =>
	name ?? `Unknown ${uuid?.slice(0, SHORT_ID) ?? ''}`;

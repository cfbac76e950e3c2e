import Archive from '@lucide/svelte/icons/archive';
import CircleArrowUp from '@lucide/svelte/icons/circle-arrow-up';
import CircleQuestionMark from '@lucide/svelte/icons/circle-question-mark';
import Gauge from '@lucide/svelte/icons/gauge';
import History from '@lucide/svelte/icons/history';
import OctagonAlert from '@lucide/svelte/icons/octagon-alert';
import TriangleAlert from '@lucide/svelte/icons/triangle-alert';
import type { Attention, CrashCard } from '$lib/schemas/overview/attention';
import { HARDLY_ENDS } from '$lib/schemas/plain/words/kill-words';
import type { ServerState, Status } from '$lib/schemas/status';
import type { IconPath } from '$lib/ui/base/icon';

type Code = Attention['code'];
type Variant = { icon: IconPath; tone: 'bad' | 'changing' | 'unsure' | 'off' };

const VARIANTS: Partial<Record<Code, Variant>> = {
	hanging: { icon: OctagonAlert, tone: 'bad' },
	world: { icon: OctagonAlert, tone: 'bad' },
	unknown: { icon: CircleQuestionMark, tone: 'unsure' },
	unseen: { icon: CircleQuestionMark, tone: 'unsure' },
	'not-written': { icon: OctagonAlert, tone: 'bad' },
	'saving-off': { icon: OctagonAlert, tone: 'bad' },
	'backup-folder': { icon: OctagonAlert, tone: 'bad' },
	'java-missing': { icon: OctagonAlert, tone: 'bad' },
	'disk-low': { icon: OctagonAlert, tone: 'bad' },
	slow: { icon: Gauge, tone: 'changing' },
	updates: { icon: CircleArrowUp, tone: 'off' }
};
/** Of what stands under “Not urgent”. */
const CALM: Partial<Record<Code, IconPath>> = { 'backup-old': Archive, 'change-failed': History };
export const variantOf = ({ code, canWait }: Pick<Attention, 'code' | 'canWait'>): Variant =>
	canWait
		? { icon: CALM[code] ?? TriangleAlert, tone: 'off' }
		: (VARIANTS[code] ?? { icon: TriangleAlert, tone: 'changing' });

export const isUrgent = ({ code, canWait }: Pick<Attention, 'code' | 'canWait'>) =>
	code !== 'updates' && !canWait;

/** What is wrong with the server itself is told with its state, and in which states that can be; the rest below. */
const OF_SERVER: Partial<Record<Code, ServerState[]>> = {
	hanging: ['unknown', 'stopping'],
	unknown: ['unknown'],
	unseen: ['unknown'],
	'slow-start': ['starting'],
	'saving-off': ['running', 'unknown'],
	'rcon-refused': ['running', 'unknown']
};

/** What is told of a crash is about the one that keeps the server down, and not of an earlier one that was told of last. */
export const isOf = (
	crash: Pick<CrashCard, 'at' | 'lasts' | 'again'>,
	{ crashedAt }: Pick<Status, 'crashedAt'>
) => crash.lasts && (!crashedAt || crash.at === crashedAt || crash.again?.at === crashedAt);

/** A crash, when something has gone wrong since that nobody has looked at either. */
export const isBeforeUrgent = (crash: { at: string } | null, items: Attention[]) =>
	crash !== null &&
	items.some((one) => isUrgent(one) && one.since !== null && one.since > crash.at);

const OF_UNKNOWN: Code[] = ['unknown', 'unseen'];

/**
 * Parts what stands under the server's state from what stands in the list. What was advised before something was begun
 * (`old`) may be what is under way now; where that ends a server that hangs (`isEnding`), how likely that is is said.
 */
export function partFaults(
	items: Attention[],
	state: ServerState,
	{ old = false, isEnding = false } = {}
) {
	const outdated = (one: Attention): Attention =>
		one.code !== 'hanging' || one.action?.danger
			? { ...one, advice: null }
			: {
					...one,
					...(isEnding && { detail: HARDLY_ENDS }),
					advice: null,
					action: one.action?.helps ? null : one.action
				};
	const isFault = ({ code }: Attention) => OF_SERVER[code]?.includes(state) ?? false;
	return {
		faults: items.filter(isFault).map((one) => (old ? outdated(one) : one)),
		// What was found before the state changed says nothing about the new one.
		others: items.filter((one) => !isFault(one) && !OF_UNKNOWN.includes(one.code))
	};
}

/** What to press first stands above the list: Start, or what helps after a crash or with a fault. */
export const isLed = ({
	canStart,
	isCrash,
	faults
}: {
	canStart: boolean;
	isCrash: boolean;
	faults: Attention[];
}) => canStart || isCrash || faults.some(({ action }) => action?.helps);

/** Which of its own buttons helps a server that hangs. */
export function advisedFor(faults: Attention[]): 'restart' | 'kill' | null {
	const action = faults.find(({ code }) => code === 'hanging')?.action;
	if (!action?.helps) return null;
	return action.danger ? 'kill' : 'restart';
}

import X from '@lucide/svelte/icons/x';
import type { OperationRow } from '$lib/schemas/operation';
import { operationTitle } from '../labels';
import type { Entry } from './entries';

const VERBS = ['cancel', 'abort', 'call off', 'stop', 'dont', 'don’t', 'do not'];
const ANYTHING = [
	...[
		'cancel',
		'abort',
		'call off',
		'cancel it',
		'never mind',
		'stop countdown',
		'stop the countdown'
	],
	...[
		'cancel countdown',
		'abort countdown',
		'cancel operation',
		'abort operation',
		'stop operation'
	]
];
/** What an operation is called beside its kind. */
const CALLED: Partial<Record<OperationRow['kind'], string[]>> = {
	...{ restart: ['restart', 'reboot'], stop: ['stop', 'shutdown'], start: ['start'] },
	...{ install: ['installation'], culprit: ['search'], java: ['download'] }
};

/**
 * What Cancel does to each operation in progress. What cannot be cancelled says so, when it is asked
 * for; none while nothing is known of them.
 */
export function cancelling(
	operations: OperationRow[] | null,
	cancel: (id: string) => () => void
): Entry[] {
	if (!operations) return [];
	const kind = 'Server';
	const running = operations.filter(({ state }) => state === 'running');
	const entries = running
		.filter(({ cancellable }) => cancellable)
		.map((one) => ({
			...{ id: `cancel:${one.id}`, label: `Cancel “${operationTitle(one)}”`, kind, icon: X },
			words: [
				...ANYTHING,
				...phrasesFor(one.kind),
				// The players are told of a restart, whatever it is for.
				...(one.countsDown && one.kind !== 'stop' ? phrasesFor('restart') : [])
			],
			...{ risky: true as const, to: cancel(one.id) }
		}));
	const possible = new Set(entries.flatMap(({ words }) => words));
	const others = [...ANYTHING, ...(['restart', 'stop', 'update'] as const).flatMap(phrasesFor)];
	const isLate = running.length > entries.length;
	return [
		...entries,
		{
			...{ id: 'cancel', label: 'Cancel what is in progress', kind, icon: X, onlyAsked: true },
			words: others.filter((phrase) => !possible.has(phrase)),
			blocked: isLate ? 'It cannot be cancelled now.' : 'Nothing like that is in progress.',
			to: () => {}
		}
	];
}

/** To stop a stop is nothing that anybody says: "stop the server", or its shutdown, means the server. */
const phrasesFor = (kind: OperationRow['kind']) =>
	[kind, ...(CALLED[kind] ?? [])].flatMap((name) =>
		VERBS.filter((verb) => verb !== 'stop' || kind !== 'stop').map((verb) => `${verb} ${name}`)
	);

import { withoutNeeded } from '#schemas/plain/words/needed';
import type { MetricEvent } from '#schemas/analytics';
import type { OperationKind, OperationSummary } from '#schemas/operation';
import type { Clock } from '#core/clock';
import { createOutage } from '#core/log';
import type { AppEvent } from '#events';
import type { MetricEvents } from '#storage/metrics';
import type { Seen } from './sampler.ts';

type Kind = MetricEvent['kind'];
const KINDS: Partial<Record<OperationKind, [Kind, string]>> = {
	start: ['start', 'Started'],
	stop: ['stop', 'Stopped'],
	restart: ['restart', 'Restarted'],
	install: ['mods', 'Installed'],
	update: ['mods', 'Updated'],
	enable: ['mods', 'Enabled'],
	disable: ['mods', 'Disabled'],
	remove: ['mods', 'Removed'],
	backup: ['backup', 'Backed up'],
	restore: ['restore', 'Restored'],
	upgrade: ['mods', 'Upgraded to']
};
const LABEL_MAX = 120;

type Deps = {
	events: Pick<MetricEvents, 'append' | 'between'>;
	clock: Clock;
	log: { warn(message: string, facts?: Record<string, unknown>): void };
};

/**
 * Records what happened to the server as marks for the graphs. A mark that cannot be written is logged and left out.
 */
export function createMarks({ events, clock, log }: Deps) {
	let crashNoted: string | null = null;

	const outage = createOutage({
		begins: (facts) => log.warn('An event of the graphs could not be written', facts),
		ends: () => {}
	});
	const note = (event: MetricEvent & { id?: string }) =>
		events.append(event).then(outage.worked, outage.failed);

	async function noteCrash(t: string) {
		if (crashNoted === t) return;
		crashNoted = t;
		const at = Date.parse(t);
		const known = await events.between(at, at + 1).catch(() => []); // if this fails, the mark may be there twice
		if (known.some(({ kind }) => kind === 'crash')) return;
		await note({ t, kind: 'crash', label: 'Crashed', id: `crash ${t}` });
	}

	return {
		/** An operation that has ended. */
		fact(fact: AppEvent) {
			const event = fact.type === 'operation' ? markOf(fact.summary, clock) : null;
			if (event) void note(event);
		},
		/**
		 * A crash is identified by the time its process ended, so it is recorded once, even across restarts of the
		 * dashboard.
		 */
		async seen({ state, endedAt, crashedBefore }: Seen) {
			const at = state === 'crashed' ? endedAt : crashedBefore?.at;
			if (at) await noteCrash(at);
		}
	};
}

/** Null for operations that did nothing to the server. */
function markOf(summary: OperationSummary, clock: Clock): (MetricEvent & { id: string }) | null {
	const known = KINDS[summary.kind];
	if (!known || !['succeeded', 'rolled-back', 'failed'].includes(summary.state)) return null;
	const [kind, done] = known;
	const tried = labelOf(summary.kind, summary.subject && withoutNeeded(summary.subject));
	const base = { id: summary.id, t: summary.finishedAt ?? clock.now().toISOString() };
	if (summary.state === 'succeeded' || summary.kept)
		return { ...base, kind, label: labelOf(done, summary.subject) };
	if (summary.state === 'rolled-back')
		return { ...base, kind: 'rollback', label: `Rolled back: ${tried}` };
	return { ...base, kind, label: `Failed: ${tried}` };
}

const labelOf = (action: string, subject: string | null) =>
	[action, subject].filter(Boolean).join(' ').slice(0, LABEL_MAX);

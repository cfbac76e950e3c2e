import { withoutNeeded, withVerb } from '#schemas/plain/words/needed';
import type { MetricEvent } from '#schemas/analytics';
import type { OperationKind, OperationSummary } from '#schemas/operation';
import type { Clock } from '#core/clock';
import { createOutage } from '#core/log';
import { createSerial } from '#core/serial';
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
	let endNoted: string | null = null;
	/** Whether this run has stopped responding, by the marks. */
	let hang: { run: string; lasts: boolean } | null = null;
	const hangs = createSerial();

	const outage = createOutage({
		begins: (facts) => log.warn('An event of the graphs could not be written', facts),
		ends: () => {}
	});
	const note = (event: MetricEvent & { id?: string }) =>
		events.append(event).then(outage.worked, outage.failed);

	async function noteEnd(t: string, kind: Kind, label: string) {
		if (endNoted === t) return;
		endNoted = t;
		const at = Date.parse(t);
		if ((await known(at, at + 1)).some((mark) => mark.kind === kind)) return;
		await note({ t, kind, label, id: `${kind} ${t}` });
	}
	/** If they cannot be read, a mark may be there twice. */
	const known = (from: number, to: number) => events.between(from, to).catch(() => []);

	async function noteHang({ state, run, silentSince, hanging }: Seen) {
		if (!run) return;
		if (hang?.run !== run.id) {
			const marks = await known(Date.parse(run.startedAt), clock.now().getTime() + 1);
			const last = marks.findLast(({ kind }) => kind === 'hang' || kind === 'answers');
			hang = { run: run.id, lasts: last?.kind === 'hang' };
		}
		const began = !hang.lasts && hanging && silentSince;
		const isOver = hang.lasts && !silentSince && state === 'running';
		if (!began && !isOver) return;
		hang = { run: run.id, lasts: !!began };
		if (began) await note({ t: began, kind: 'hang', label: 'Stopped responding' });
		else await note({ t: clock.now().toISOString(), kind: 'answers', label: 'Responded again' });
	}

	return {
		/** An operation that has ended. */
		fact(fact: AppEvent) {
			const event = fact.type === 'operation' ? markOf(fact.summary, clock) : null;
			if (event) void note(event);
		},
		/**
		 * A crash or a kill is identified by the time its process ended, so it is recorded once, even across restarts of the
		 * dashboard.
		 */
		async seen(seen: Seen) {
			const { state, endedAt, crashedBefore, killedBy } = seen;
			const at = state === 'crashed' ? endedAt : crashedBefore?.at;
			if (at) await noteEnd(at, 'crash', 'Crashed');
			if (state === 'stopped' && killedBy && endedAt) await noteEnd(endedAt, 'stop', 'Killed');
			// What the marks say is read first, which no measurement waits for.
			void hangs.run(() => noteHang(seen));
		}
	};
}

/** Null for operations that did nothing to the server. */
function markOf(summary: OperationSummary, clock: Clock): (MetricEvent & { id: string }) | null {
	const known = KINDS[summary.kind];
	if (!known || !['succeeded', 'rolled-back', 'failed'].includes(summary.state)) return null;
	const [kind, done] = known;
	const { subject } = summary;
	const tried = labelOf(summary.kind, subject && withoutNeeded(subject));
	const base = { id: summary.id, t: summary.finishedAt ?? clock.now().toISOString() };
	if (summary.state === 'succeeded' && summary.killedBy && summary.kind === 'restart')
		return { ...base, kind, label: 'Killed and started again' };
	if (summary.state === 'succeeded' || summary.kept)
		return {
			...base,
			kind,
			label: labelOf(done, subject && withVerb(summary.kind, subject, 'added'))
		};
	if (summary.state === 'rolled-back')
		return { ...base, kind: 'rollback', label: `Rolled back: ${tried}` };
	return { ...base, kind, label: `Failed: ${tried}` };
}

const labelOf = (action: string, subject: string | null) =>
	[action, subject].filter(Boolean).join(' ').slice(0, LABEL_MAX);

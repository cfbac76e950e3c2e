import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { OperationSummary } from '#schemas/operation';
import type { TaskRun } from '#schemas/task';
import {
	eventKind,
	StoredTrigger,
	TRIGGERS_MAX,
	triggerWords,
	type Trigger,
	type TriggerCreate,
	type TriggerList,
	type TriggerPatch
} from '#schemas/trigger';
import type { Actor } from '#core/actor';
import { AppError } from '#core/errors';
import { createSerial } from '#core/serial';
import type { StateFile } from '#storage/state-file';
import { createActing, isAutoRestart, refusal, type ActDeps } from './act.ts';
import { createCauses } from './causes.ts';
import { createDetector, type Detector, type Look } from './detectors.ts';

export type { Look } from './detectors.ts';

/** What is done when something happens, while the dashboard runs. */
export interface Triggers {
	list(): Promise<TriggerList>;
	/** `AppError('conflict')` when there are too many. */
	add(input: Omit<TriggerCreate, 'enabled'> & { enabled?: boolean }, by: Actor): Promise<Trigger>;
	/** Whoever changes its action becomes its creator. `AppError('not-found')`. */
	change(id: string, patch: TriggerPatch, by: Actor): Promise<Trigger>;
	remove(id: string, by: Actor): Promise<void>;
	/** Starts observing, every few seconds only while a trigger needs it. */
	start(): Promise<void>;
	/** The state of the server has changed. */
	changed(): void;
	/** An operation has begun, changed or ended, in any process. */
	heard(operation: OperationSummary): void;
	close(): Promise<void>;
}

export const TriggersState = z.object({ triggers: z.array(StoredTrigger) });
export type TriggersState = z.infer<typeof TriggersState>;
export const TRIGGERS_VERSION = 1;
export const NO_TRIGGERS: TriggersState = { triggers: [] };

type Deps = Omit<ActDeps, 'causes' | 'turnOff'> & {
	store: StateFile<TriggersState>;
	/** Newest first. */
	runs: () => Promise<TaskRun[]>;
	/** `wide`: also asks the game who plays and how fast it ticks. */
	look: (wide: boolean) => Promise<Omit<Look, 'atMs' | 'failedBackups'>>;
	log: { error(message: string, facts?: Record<string, unknown>): void };
};

const LOOK_EVERY_MS = 5000;
const FAILED = ['failed', 'interrupted'];
/** Published changes are handled at once; this only catches the rest. */
const IDLE_MS = 60_000;
const REMEMBERED = 20;

export function createTriggers(deps: Deps): Triggers {
	const { store, clock, log, audit } = deps;
	const causes = createCauses(clock);
	const closing = new AbortController();
	const looks = createSerial();
	const detectors = new Map<string, { when: string; detect: Detector }>();
	let toldBackups: string[] = [];
	let loop: Promise<void> | null = null;
	let wake = () => {};

	const all = async () => (await store.read()).triggers;
	const turnOff = (id: string) =>
		edit(id, (trigger) => ({ ...trigger, enabled: false })).then(
			() => {},
			(cause) => log.error('A trigger that runs in a loop could not be turned off', { cause })
		);
	const act = createActing({ ...deps, causes, turnOff });

	async function edit(id: string, change: (trigger: StoredTrigger) => StoredTrigger) {
		let edited: StoredTrigger | undefined;
		await store.update(({ triggers }) => ({
			triggers: triggers.map((one) => (one.id === id ? (edited = change(one)) : one))
		}));
		if (!edited) throw gone();
		wake();
		return edited;
	}

	async function shown(trigger: StoredTrigger, runs: TaskRun[]): Promise<Trigger> {
		const last = runs.find(({ id }) => id === trigger.id);
		return {
			...trigger,
			human: triggerWords(trigger),
			note: await noteOf(trigger),
			last: last ? { at: last.at, result: last.result, detail: last.detail } : null
		};
	}

	async function noteOf(trigger: StoredTrigger): Promise<string | null> {
		const refused = refusal(trigger, deps.roleOf(trigger.by));
		if (refused) return `It does not act: ${refused}.`;
		if (!isAutoRestart(trigger)) return null;
		return (await deps.restartsAnyway())
			? 'This is the automatic restart. It is on in the settings, so it acts with their limits and this one adds nothing.'
			: 'This is the automatic restart. In the settings it also has a limit and waits longer after each crash.';
	}

	/** A new detector for each new or changed trigger: at its first observation nothing has happened. */
	function detectorOf({ id, when }: StoredTrigger): Detector {
		const words = JSON.stringify(when);
		const known = detectors.get(id);
		if (known?.when === words) return known.detect;
		const detect = createDetector(when);
		detectors.set(id, { when: words, detect });
		return detect;
	}

	async function look(failedBackups: string[], chain: string[]) {
		const enabled = (await all()).filter((one) => one.enabled);
		const ids = enabled.map(({ id }) => id);
		for (const id of detectors.keys()) if (!ids.includes(id)) detectors.delete(id);
		if (!enabled.length) return;
		const seen = await deps.look(enabled.some(({ when }) => eventKind(when.event).looks));
		const now: Look = { ...seen, atMs: clock.monotonicMs(), failedBackups };
		const happened = enabled.filter((trigger) =>
			detectorOf(trigger)(now, chain.includes(trigger.id))
		);
		for (const trigger of happened)
			act(trigger, chain).catch((cause) => log.error('A trigger failed', { cause }));
	}

	const lookNow = (failedBackups: string[] = [], chain = causes.chain()) =>
		looks
			.run(async () => {
				if (!closing.signal.aborted) await look(failedBackups, chain);
			})
			.catch((cause) => log.error('Triggers cannot be watched', { cause }));

	async function watch() {
		while (!closing.signal.aborted) {
			const enabled = (await all().catch(() => [])).filter((one) => one.enabled);
			await lookNow();
			const pause = new AbortController();
			wake = () => pause.abort();
			const signal = AbortSignal.any([pause.signal, closing.signal]);
			const needed = enabled.some(({ when }) => eventKind(when.event).looks);
			await clock.sleep(needed ? LOOK_EVERY_MS : IDLE_MS, signal).catch(() => {}); // changed, or closing
		}
	}

	return {
		async list() {
			const [triggers, runs] = await Promise.all([all(), deps.runs()]);
			return { triggers: await Promise.all(triggers.map((one) => shown(one, runs))) };
		},
		async add(input, by) {
			const id = randomBytes(8).toString('hex');
			const trigger: StoredTrigger = { enabled: true, ...input, id, by: by.name };
			await store.update(({ triggers }) => {
				if (triggers.length >= TRIGGERS_MAX) throw tooMany(triggers.length);
				return { triggers: [...triggers, trigger] };
			});
			wake();
			await audit(by, 'trigger.add', { subject: id, detail: triggerWords(trigger) });
			return shown(trigger, []);
		},
		async change(id, { when, do: task, minGapSeconds, enabled }, by) {
			const trigger = await edit(id.toLowerCase(), (old) => ({
				...old,
				...((when || task) && { by: by.name }),
				when: when ?? old.when,
				do: task ?? old.do,
				minGapSeconds: minGapSeconds ?? old.minGapSeconds,
				enabled: enabled ?? old.enabled
			}));
			const fields = when || task || minGapSeconds !== undefined;
			const action = fields ? 'trigger.change' : enabled ? 'trigger.enable' : 'trigger.disable';
			await audit(by, action, { subject: trigger.id, detail: triggerWords(trigger) });
			return shown(trigger, await deps.runs());
		},
		async remove(wanted, by) {
			const id = wanted.toLowerCase();
			const trigger = (await all()).find((one) => one.id === id);
			if (!trigger) throw gone();
			await store.update(({ triggers }) => ({ triggers: triggers.filter((one) => one.id !== id) }));
			await audit(by, 'trigger.remove', { subject: id, detail: triggerWords(trigger) });
		},
		async start() {
			await all(); // a broken file is reported now
			loop ??= watch();
		},
		changed() {
			if (loop) void lookNow();
		},
		heard(operation) {
			causes.heard(operation);
			const { id, kind, state } = operation;
			if (!loop || kind !== 'backup' || !FAILED.includes(state) || toldBackups.includes(id)) return;
			toldBackups = [...toldBackups, id].slice(-REMEMBERED);
			void lookNow([id], causes.chain(id));
		},
		async close() {
			closing.abort();
			await loop;
		}
	};
}

const gone = () => new AppError('not-found', 'There is no such trigger: it may have been removed.');

const tooMany = (count: number) =>
	new AppError(
		'conflict',
		`There are already ${count} triggers, and no more can be added. Remove one that is not needed.`
	);

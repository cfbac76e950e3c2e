import path from 'node:path';
import { z } from 'zod';
import { ensureDir, onDisk, readTextIfExists, writeAtomic } from '#core/files';
import { createOutage } from '#core/log';
import { processId } from '#core/process';

export type Log = { error(message: string, facts?: { cause?: unknown }): void };

const Run = z.object({
	id: z.string(),
	startedAt: z.string(),
	pid: z.int().nullable(),
	ours: z.boolean()
});

const Diagnosis = z.object({
	code: z.enum([
		'eula',
		'port',
		'java-version',
		'java-missing',
		'mods',
		'memory',
		'watchdog',
		'world-locked',
		'crash',
		'unknown'
	]),
	message: z.string(),
	log: z.array(z.string()),
	mods: z.array(z.string()),
	advice: z.string(),
	remedy: z.enum(['update', 'start']).optional(),
	restartable: z.boolean()
});

const End = z.object({
	at: z.string(),
	state: z.enum(['stopped', 'crashed']),
	reason: z.string().nullable(),
	diagnosis: Diagnosis.nullable(),
	/** The run that ended so; absent in what earlier versions wrote, and where nothing ran. */
	endedRun: z.string().optional(),
	/** A later run, which a change tried and took back; absent otherwise. */
	tried: z.object({ startedAt: z.string(), endedAt: z.string() }).optional(),
	/** Why it does not come up, where the end counts as a stop all the same. */
	failed: Diagnosis.pick({ message: true, log: true, mods: true })
		.extend({ code: z.string() })
		.nullable()
		.optional()
});

/** What must survive us about one run of the server: `DATA_DIR/server-state.json`. */
const Facts = z.object({
	/** The run last seen. */
	run: Run.nullable(),
	/** Where the log ended before this run, when we started it. */
	mark: z.object({ file: z.string(), size: z.int() }).nullable(),
	/** When it became ready for players; null while it is not. */
	readyAt: z.string().nullable(),
	/** Who asked for it to end; an unrequested end counts as a crash until the log says otherwise. */
	stop: z
		.object({ how: z.enum(['stop', 'restart', 'kill']), by: z.string(), at: z.string() })
		.nullable(),
	/** How that run ended; null while it lasts. */
	end: End.nullable(),
	/** The crash before it, when whatever runs the server started it again by itself. */
	before: End.nullable().default(null),
	/** Who had stopped the run before, when something outside started this one soon after it had ended. */
	again: z.string().nullable().default(null),
	/** The last crash after the ready line, and how long that run had been ready: until another one has outlived it. */
	crashed: z.object({ at: z.string(), livedMs: z.number() }).nullable().default(null)
});
export type Facts = z.infer<typeof Facts>;

/** Earlier versions wrote down the process itself. */
const EarlierProcess = z.object({
	pid: z.int(),
	startTicks: z.int(),
	bootId: z.string(),
	startedAt: z.string(),
	ours: z.boolean()
});
const EarlierFacts = Facts.omit({ run: true })
	.extend({ process: EarlierProcess.nullable() })
	.transform(({ process, ...facts }): Facts => {
		if (!process) return { ...facts, run: null };
		const { pid, startedAt, ours } = process;
		return { ...facts, run: { id: processId(process), startedAt, pid, ours } };
	});
const StoredFacts = z.union([Facts, EarlierFacts]);

export const NOTHING_KNOWN: Facts = {
	run: null,
	mark: null,
	readyAt: null,
	stop: null,
	end: null,
	before: null,
	again: null,
	crashed: null
};

export type FactStore = {
	/** Always from disk: another process of ours may have changed them. */
	read(): Promise<Facts>;
	/** On disk before it resolves; `AppError('internal')` says why it could not be. The caller sees to it that changes follow one another. */
	change(patch: Partial<Facts>): Promise<Facts>;
	/** Never rejects: what cannot be written down now is remembered until it can be. */
	note(patch: Partial<Facts>): Promise<Facts>;
};

export function createFactStore(deps: { dataDir: string; log: Log }): FactStore {
	const file = path.join(deps.dataDir, 'server-state.json');

	let complained = false;
	const outage = createOutage({
		begins: (facts) => deps.log.error(`${file} could not be written`, facts),
		ends: () => {}
	});

	/** What the disk has not taken yet. */
	let unwritten: Partial<Facts> = {};

	/** What runs is found by looking, so a file that cannot be used costs only the history; it is said once. */
	const unusable = (cause: unknown) => {
		if (!complained)
			deps.log.error(`${file} cannot be read: the state is worked out anew`, { cause });
		complained = true;
		return NOTHING_KNOWN;
	};
	const stored = async () => {
		try {
			const text = await readTextIfExists(file);
			if (text === null) return NOTHING_KNOWN;
			const { success, data, error } = StoredFacts.safeParse(JSON.parse(text));
			return success ? data : unusable(new Error('it is not one of ours', { cause: error }));
		} catch (error) {
			return unusable(error);
		}
	};
	const read = async () => ({ ...(await stored()), ...unwritten });
	const write = async (facts: Facts) => {
		await ensureDir(deps.dataDir);
		await writeAtomic(file, JSON.stringify(facts));
		unwritten = {};
	};
	return {
		read,
		async change(patch) {
			const facts = { ...(await read()), ...patch };
			await onDisk('The state of the server could not be saved', () => write(facts));
			return facts;
		},
		async note(patch) {
			const facts = { ...(await read()), ...patch };
			unwritten = { ...unwritten, ...patch };
			await write(facts).then(outage.worked, outage.failed);
			return facts;
		}
	};
}

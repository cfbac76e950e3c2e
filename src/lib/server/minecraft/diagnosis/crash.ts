import {
	diagnosis,
	find,
	findAll,
	isFailure,
	isFrame,
	shortException,
	unique,
	excerpt,
	type Diagnosis,
	type Evidence,
	type Hit,
	type Rule
} from './evidence.ts';
import { list, modsInFrames, type Mod } from './mod-names.ts';

/** Servers that failed while running, and exits that leave no message. */

const TRACE_MAX_LINES = 80;
/** Where a server that exits without a message may have left one. */
const TAIL_LINES = 20;
const BLAMED_MAX = 3;
const LEAST_BAD = 'If it happens again, undo the last change to the mods or read the crash report.';
const adviceFor = (mods: Mod[], otherwise: string): Pick<Diagnosis, 'advice' | 'remedy'> =>
	mods.length
		? {
				advice: `Update ${list(mods)}, or disable ${mods.length > 1 ? 'them one by one' : 'it'} where there is no newer version.`,
				remedy: 'update'
			}
		: { advice: otherwise };

/** The lines that name whom a report suspects: without them nobody sees why. */
const blamedIn = ({ blamed }: Evidence) =>
	blamed.slice(0, BLAMED_MAX).map(({ shown }) => shown.trim());

export const watchdog: Rule = (evidence) => {
	const { all, report } = evidence;
	const hits = findAll(
		all,
		/^(?:A single server tick took [\d.,]{1,12} seconds|Considering it to be crashed|The server has stopped responding!)|^(?:java\.lang\.Error: )?(?:Watching Server|ServerHangWatchdog detected)/
	);
	const watching = /^Watching Server/.test(report?.description ?? '');
	const fatal = hits.filter(({ match }) => !match[0].startsWith('A single server tick'));
	if (!watching && !fatal.length) return null;
	const seconds = hits
		.map(({ match }) => /took ([\d.,]{1,12}) seconds/.exec(match[0])?.[1])
		.find(Boolean);
	const mods = report?.suspects ?? [];
	return diagnosis(
		'watchdog',
		`The game stopped itself because one tick took ${seconds ? `${Number.parseInt(seconds)} seconds` : 'too long'}.`,
		{
			log: unique([...excerpt(hits, 0), ...blamedIn(evidence)]),
			mods: mods.map(({ id }) => id),
			...adviceFor(
				mods,
				'The machine was too busy, or a mod hung. max-tick-time in server.properties sets the limit (-1: none).'
			),
			restartable: true
		}
	);
};

export const crash: Rule = (evidence) => {
	const { all, report } = evidence;
	if (report?.javaItself) return javaCrash(evidence);
	const hit = find(
		all,
		/^(?:Encountered an unexpected exception|Failed to start the minecraft server|This crash report has been saved to|Preparing crash report|Unreported exception thrown|Failed to initialize server|Exception in thread "main")/,
		isFailure
	);
	if (!hit && !report) return javaCrash(evidence) ?? programCrash(evidence);
	const trace = hit ? traceBelow(hit) : [];
	const exception = report?.exception ?? trace[0] ?? null;
	const mods = report?.suspects.length ? report.suspects : modsInFrames(trace);
	const said = exception ? shortException(exception) : '';
	// The game wraps a mod's exception, and repeats what it was doing.
	const isWrapped = !!report?.description && said.endsWith(`: ${report.description}`);
	const what = report?.description && !isWrapped ? ` (${report.description})` : '';
	const why = isWrapped ? report.description : said;
	const causes = trace.filter((line) => line.startsWith('Caused by: ')).slice(0, 2);
	const framed = trace.filter((line) => modsInFrames([line]).length);
	return diagnosis('crash', `The server crashed${what}${why ? `: ${why}` : '.'}`, {
		log: unique([
			...excerpt([hit], 3),
			...(report?.exception ? [report.exception.slice(0, 300)] : []),
			...causes,
			...(report?.suspects.length ? blamedIn(evidence) : framed.slice(0, BLAMED_MAX))
		]),
		mods: mods.map(({ id }) => id),
		...adviceFor(mods, LEAST_BAD),
		restartable: true
	});
};

function traceBelow({ lines, index, match }: Hit) {
	const own = match[0].startsWith('Exception in thread') ? index : index + 1;
	const rest = lines.slice(own, own + TRACE_MAX_LINES);
	const end = rest.findIndex((line) => line.level !== null);
	return (end < 0 ? rest : rest.slice(0, end)).map(({ text }) => text.trim()).filter(Boolean);
}

const JAVA_FAILED = /^#? ?A fatal error has been detected by the Java Runtime Environment/;

/** Java itself failed, by its own account: no mod is certain to be at fault. */
const javaCrash: Rule = ({ all, report }) => {
	const hit = find(all, JAVA_FAILED);
	if (!hit && !report?.javaItself) return null;
	return diagnosis('crash', 'Java itself crashed.', {
		log: excerpt([hit], 4),
		advice:
			'Update Java. If it happens again, test the memory of the machine and look at mods with native code.',
		restartable: true
	});
};

/** Signals that a program gets for a fault of its own; a shell adds 128 to their numbers. */
const FAULTS: Record<number, string> = {
	132: 'SIGILL',
	134: 'SIGABRT',
	135: 'SIGBUS',
	136: 'SIGFPE',
	139: 'SIGSEGV'
};

/** Java writes down how it failed; a program that leaves no message may be any program. */
const programCrash: Rule = ({ exit }) => {
	const signal = exit?.signal ?? FAULTS[exit?.code ?? 0];
	if (!signal || !Object.values(FAULTS).includes(signal)) return null;
	return diagnosis('crash', `The server’s program crashed (${signal}).`, {
		log: [],
		advice:
			'Look at the end of its log. If it happens again, update the server and test the memory of the machine.',
		restartable: true
	});
};

export const killed: Rule = ({ exit }) =>
	exit?.signal === 'SIGKILL' || exit?.code === 137
		? diagnosis(
				'memory',
				'The server was killed from outside: by somebody, or by the machine because memory ran out.',
				{
					log: [],
					remedy: 'start',
					advice:
						'Start it again. If nobody ended it, memory ran out: lower -Xmx in the start script so that the machine has about 2 GB left, or give the machine more memory.',
					restartable: true
				}
			)
		: null;

/** Nothing failed: somebody entitled to do so ended it. */
export const stoppedInside: Rule = ({ all, exit }) => {
	const any = () => true;
	const hit = find(all, /^(?:Stopping the server|\[[^\]:]{1,64}: Stopping the server\])$/, any);
	if (hit)
		return diagnosis(
			'unknown',
			'The server was stopped from its console or from inside the game.',
			{
				log: excerpt([hit], 0),
				advice: 'Start it again when you want it.',
				restartable: false
			}
		);
	const signal = exit?.signal ?? { 143: 'SIGTERM', 130: 'SIGINT', 129: 'SIGHUP' }[exit?.code ?? 0];
	return signal
		? diagnosis('unknown', `The server was ended from outside (${signal.slice(0, 20)}).`, {
				log: [],
				advice:
					'Another program or a person on the machine ended it. Start it again when you want it.',
				restartable: true
			})
		: null;
};

export const unknown: Rule = ({ all, exit }) => {
	const code =
		exit?.code === null || exit?.code === undefined ? '' : ` with exit code ${exit.code}`;
	const last = all.flatMap((lines) => {
		const end = lines.slice(-TAIL_LINES);
		return findAll([end], /\S/, (line) => isFailure(line) && !isFrame(line.text)).slice(-3);
	});
	return diagnosis('unknown', `The server ended${code} and did not say why.`, {
		log: excerpt(last, 0),
		advice: LEAST_BAD.replace('crash report', 'end of its log'),
		restartable: true
	});
};

import { elapsed } from '#schemas/plain/words/duration';
import { withoutSilence } from '#schemas/plain/words/silence-words';
import { NEEDS_ATTENTION } from '#schemas/plain/words/attention-words';
import type { NotificationEvent } from '#schemas/notifications/channel';
import type { Message } from './message.ts';
import type { Note, Report } from './noise/index.ts';
import { clockTime, plainLine, plainText, shorten } from './text.ts';

export type Place = {
	/** Of the server. */
	name: string;
	/** Where people reach the dashboard; null when it is not configured. */
	publicUrl: URL | null;
};

const HOUR_MS = 3_600_000;
const DETAIL_MAX = 600;
const TEXT_MAX = 1500;

/** What a person needs at 3 a.m. on a phone: what, since when, what was done automatically, what to do now. */
type Description = { level: Message['level']; title: string; lines: string[]; path: string };

/** The message for one note of the noise rules. */
export function messageOf(note: Note, place: Place, nowMs: number): Message {
	const { level, title, lines, path } = describe(note);
	const { at, event, facts } = note.report;
	return {
		id: idOf(note, nowMs),
		event: note.event,
		...{ at, level, title: `${plainLine(place.name, 60)}: ${title}` },
		text: shorten(plainText(lines.filter(Boolean).join('\n')), TEXT_MAX),
		...linksOf(place, path),
		data: { ...plainFacts(facts), event, count: note.count, kind: note.kind }
	};
}

/** Of our own, for all to see: what is on a picture of a service must not be for some alone. */
const PICTURE = '/icons/icon-192.png';

export function linksOf({ publicUrl }: Place, path: string) {
	const at = (where: string) => publicUrl && new URL(where, publicUrl).href;
	return { url: at(path), picture: at(PICTURE), path };
}

/** The same whenever the same is told, also when a kill makes it be told again; what is repeated is not the same. */
function idOf({ report, kind, count, first }: Note, nowMs: number) {
	// A lasting condition may begin again under the same id, as when a disk fills up twice.
	const id = report.lasts === null ? report.id : `${report.id} ${first?.at ?? report.at}`;
	if (kind === 'plain') return id;
	return `${id} ${kind} ${kind === 'still' ? Math.floor(nowMs / HOUR_MS) : count}`;
}

const plainFacts = (facts: Report['facts']): Message['data'] =>
	Object.fromEntries(
		Object.entries(facts).map(([name, value]) => [
			name,
			typeof value === 'string' ? plainLine(value, DETAIL_MAX) : value
		])
	);

function describe(note: Note): Description {
	const { event, kind, count, report, first } = note;
	if (event === 'server.crashed' && kind === 'again') return crashesAgain(note);
	if (event === 'server.back' && kind === 'recovered') return recovered(report, first);
	const described = DESCRIPTIONS[event](report, count);
	const since = [`Since ${clockTime(report.at)}, unchanged.`];
	if (kind === 'still')
		return {
			...described,
			title: `still: ${described.title}`,
			lines: [...since, ...described.lines]
		};
	if (kind === 'again' && count > 1)
		return {
			...described,
			lines: [`${count} times within minutes. The last:`, ...described.lines]
		};
	return described;
}

const OVERVIEW = '/admin';
const fact = ({ facts }: Report, name: string) => {
	const value = facts[name];
	return value === null || value === undefined ? '' : plainLine(String(value), DETAIL_MAX);
};
const when = (report: Report) => `At ${clockTime(report.at)}.`;
const operationPath = (report: Report) => `/admin/operations/${fact(report, 'operation')}`;
const what = (report: Report) =>
	[fact(report, 'what'), fact(report, 'subject')].filter(Boolean).join(' ');

/** A start that failed without a crash is told with its operation. */
const didNotStart = (report: Report) => fact(report, 'operation') !== '';
const isOff = (report: Report) => ['stopped', 'crashed'].includes(fact(report, 'server'));
const OFF = 'The server is off: nobody can play until somebody starts it.';
/** Where to go from there, for readers without a link too. */
function restWords(report: Report): string {
	const rest = Number(fact(report, 'rest'));
	if (!rest) return 'To disable it or to look for another version: Craftwarden → Mods.';
	return `To update the other ${rest === 1 ? 'one' : rest}: Craftwarden → Mods → Update.`;
}

type Describing = (report: Report, count: number) => Description;
const bad = (title: string, lines: string[], path = OVERVIEW): Description => ({
	...{ level: 'bad', title, lines, path }
});
const info = (title: string, lines: string[], path = OVERVIEW): Description => ({
	...{ level: 'info', title, lines, path }
});

const DESCRIPTIONS: Record<NotificationEvent, Describing> = {
	'server.crashed': (report) =>
		didNotStart(report)
			? bad(
					'the server did not start',
					[
						`${when(report)} ${fact(report, 'reason')}`,
						'Nobody can play until it runs again. The operation says what may help.'
					],
					operationPath(report)
				)
			: bad('the server crashed', [
					`${when(report)} ${fact(report, 'reason')}`,
					fact(report, 'restarts') || 'It was not started again by itself.',
					fact(report, 'advice') || 'Look at the overview, and start it again.'
				]),
	'server.back': (report) => ({
		...{ level: 'good', title: 'the server is stable again', path: OVERVIEW },
		lines: [`It has been running since ${clockTime(report.at)} without another crash.`]
	}),
	'server.gave-up': (report, count) =>
		bad('the server is off', [
			`${when(report)} ${fact(report, 'reason')}`,
			count > 1 ? `It crashed ${count} times.` : '',
			fact(report, 'detail'),
			fact(report, 'advice') ||
				'Nobody can play until somebody starts it: the overview says why it went down.'
		]),
	'server.hanging': (report) =>
		bad('the server does not answer', [
			`It has been running without answering since ${clockTime(report.at)}. ${withoutSilence(fact(report, 'reason')) ?? ''}`.trimEnd(),
			'Craftwarden has not stepped in. A short pause, such as a large save, is over within two minutes. If it lasts longer, restart it; if it does not end then, the overview says what helps.'
		]),
	'mods.rolled-back': (report) =>
		bad(
			`rolled back: ${what(report)}`,
			[
				`${when(report)} ${fact(report, 'message')}`,
				fact(report, 'mods') && `To blame: ${fact(report, 'mods')}.`,
				fact(report, 'outcome'),
				isOff(report) ? OFF : `${NEEDS_ATTENTION}: its page says what helps.`
			],
			operationPath(report)
		),
	'mods.trial-failed': (report) =>
		bad(
			`the trial failed: ${what(report)}`,
			[
				`${when(report)} ${fact(report, 'message')}`,
				fact(report, 'mods') && `To blame: ${fact(report, 'mods')}.`,
				'Nothing was changed.'
			],
			operationPath(report)
		),
	'mods.culprit-found': (report) =>
		fact(report, 'mods')
			? info(
					`${fact(report, 'mods')} did not start ${Number(fact(report, 'count')) > 1 ? 'together ' : ''}on a copy`,
					[`${when(report)} The search has changed nothing.`, restWords(report)],
					operationPath(report)
				)
			: info(
					'no single mod could be blamed',
					[`${when(report)} The search has changed nothing, and its page shows what was tried.`],
					operationPath(report)
				),
	'mods.failed': (report) =>
		bad(
			`failed: ${what(report)}`,
			[
				`${when(report)} ${fact(report, 'message')}`,
				'Check whether the server is running, and what the operation left behind.'
			],
			operationPath(report)
		),
	'backup.failed': (report) =>
		bad(
			'a backup failed',
			[
				`${when(report)} ${fact(report, 'message')}`,
				'Make room or fix what is named, then back up.'
			],
			operationPath(report)
		),
	'backup.overdue': (report) =>
		bad(
			'no backup for days',
			[
				`The newest good backup is from ${fact(report, 'newest')}.`,
				'Back up now, and look at the schedule.'
			],
			'/admin/backups'
		),
	'backup.verify-failed': (report) =>
		bad(
			'a backup is damaged',
			[
				`${fact(report, 'backup')}: ${fact(report, 'message')}`,
				'Make a new backup now, and look at the disk.'
			],
			'/admin/backups'
		),
	'disk.low': (report) =>
		bad(
			'a disk is nearly full',
			[
				`${fact(report, 'free')} are left of ${fact(report, 'total')} where ${fact(report, 'dir')} is.`,
				'When it is full the game cannot save: remove old backups, or make room.'
			],
			'/admin/backups'
		),
	'performance.low': (report) =>
		bad(
			'the server stays slow',
			[
				`Since ${clockTime(report.at)}: ${fact(report, 'detail')}`,
				'Craftwarden has not stepped in. The graphs show since when, and what happened before.'
			],
			'/admin/analytics'
		),
	'access.operator-added': (report) =>
		info(
			`${fact(report, 'player')} is an operator now`,
			[
				`${when(report)} Done by ${fact(report, 'by')}.`,
				'If that is wrong, remove the operator and change that password.'
			],
			'/admin/players?tab=ops'
		),
	'access.new-address': (report) =>
		info(
			`${fact(report, 'by')} logged in from a new place`,
			[when(report), 'If that was nobody you know, change the password and log out everywhere.'],
			'/admin/activity?view=audit'
		),
	'mods.updates': (report) =>
		info(
			`${fact(report, 'count')} mods have updates`,
			[fact(report, 'mods'), 'Nothing was installed.'],
			'/admin/mods'
		),
	'server.started': (report) => info('the server started', [when(report)]),
	'server.stopped': (report) =>
		info('the server stopped', [`${when(report)} ${fact(report, 'reason')}`]),
	'backup.done': (report) => info('a backup was made', [when(report)], '/admin/backups'),
	'player.joined': (report) =>
		info(`${fact(report, 'player')} joined`, [when(report)], '/admin/players'),
	'player.left': (report) =>
		info(`${fact(report, 'player')} left`, [when(report)], '/admin/players')
};

function crashesAgain({ count, report, first }: Note): Description {
	const from = first ? clockTime(first.at) : '';
	return bad(`the server keeps crashing`, [
		`${count} ${count === 1 ? 'crash' : 'crashes'} since ${from}. The last: ${fact(report, 'reason')}`,
		fact(report, 'restarts'),
		fact(report, 'advice') ||
			'The overview says why it went down. The next message comes in hours, or when it is stable.'
	]);
}

function recovered(report: Report, before: Report | null): Description {
	const hung = before?.event === 'server.hanging';
	const down = before ? Math.max(0, Date.parse(report.at) - Date.parse(before.at)) : 0;
	const failed = before !== null && didNotStart(before);
	const what = hung ? 'answers again' : failed ? 'is back' : 'crashed and is back';
	return {
		...{ level: 'good', title: `the server ${what}`, path: OVERVIEW },
		lines: [
			before && !hung
				? `It ${failed ? 'did not start' : 'crashed'} at ${clockTime(before.at)}: ${fact(before, 'reason')}`
				: '',
			`It has been back since ${clockTime(report.at)}${down ? `, after ${elapsed(down)}` : ''}.`,
			hung || failed ? '' : 'The overview says what the crash was.'
		]
	};
}

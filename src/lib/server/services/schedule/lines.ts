import { randomBytes } from 'node:crypto';
import { isForDay } from '#schemas/cron/fields';
import { Schedule, storedTask, taskKind, TaskMarker, type TaskCreate } from '#schemas/task';
import { AppError } from '#core/errors';
import type { BuildCommand } from './command.ts';

/**
 * Tasks as lines of a crontab: `<schedule> <command> # svc-task:<base64 of JSON>`, with `#DISABLED ` in front of a
 * disabled one. Text is latin1 here: one character for each byte.
 */
export type TaskLine = TaskCreate & { id: string; enabled: boolean };

const DISABLED = '#DISABLED ';
const MARKER = '# svc-task:';
/** Debian's cron refuses longer ones. */
export const LINE_MAX_BYTES = 998;
const OURS =
	/^(#DISABLED )?([^\s#]\S*[ \t]+\S+[ \t]+\S+[ \t]+\S+[ \t]+\S+)[ \t](.*) # svc-task:([A-Za-z0-9+/=]{1,2000})$/;

const toBytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
/** In a crontab a bare `%` ends the command. */
const escaped = (command: string) => toBytes(command).replaceAll('%', '\\%');

/** `AppError('invalid')` when cron would refuse the line. */
export function toLine({ enabled, ...task }: TaskLine, build: BuildCommand): string {
	const marker = Buffer.from(JSON.stringify({ v: 1, ...order(task) })).toString('base64');
	const line = `${enabled ? '' : DISABLED}${task.schedule} ${escaped(build(task))} ${MARKER}${marker}`;
	if (line.length > LINE_MAX_BYTES) {
		const message = `The task’s line in the crontab would have ${line.length} bytes, and cron takes ${LINE_MAX_BYTES}.`;
		const [text] = Object.entries(taskKind(task.type).fields).filter(
			([, { input }]) => input === 'text'
		);
		throw new AppError('invalid', `${message} Shorten the ${text?.[0] ?? 'schedule'}.`, {
			issues: [{ path: text?.[0] ?? 'schedule', message }]
		});
	}
	return line;
}

const order = (task: TaskCreate & { id: string }) => {
	const { id, type, schedule, on, ...rest } = task;
	return { id, type, schedule, on, ...rest };
};

/**
 * The task of a line; null when it does not belong to this installation: it has no marker, or its command is not
 * exactly the one we would write. The line's own five fields take precedence over the marker's schedule.
 */
export function fromLine(line: string, build: BuildCommand): TaskLine | null {
	const match = OURS.exec(line);
	if (!match) return null;
	const [, disabled, fields = '', command, base64 = ''] = match;
	const marker = TaskMarker.safeParse(decoded(base64));
	const schedule = Schedule.safeParse(fields);
	if (!marker.success || !schedule.success) return null;
	const { id, type, on } = marker.data;
	// Moved by hand to another day, of which nobody knows the year.
	if (on !== undefined && !isForDay(schedule.data, on)) return null;
	const stored = storedTask(type, schedule.data, marker.data);
	const task = stored && { ...stored, ...(on !== undefined && { on }) };
	if (!task || escaped(build({ ...task, id })) !== command) return null;
	return { ...task, id, enabled: disabled === undefined };
}

function decoded(base64: string): unknown {
	const bytes = Buffer.from(base64, 'base64');
	if (bytes.toString('base64') !== base64) return null;
	try {
		return JSON.parse(bytes.toString('utf8'));
	} catch {
		return null;
	}
}

export type Line = { text: string; task: TaskLine | null };
export type Table = { lines: Line[]; tasks: TaskLine[]; problems: string[]; damage: string | null };

/** The whole table: each line with its own line end, so that joining them gives the same bytes. */
export function parseTable(text: string, build: BuildCommand): Table {
	const lines = (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((whole) => ({
		text: whole,
		task: fromLine(whole.replace(/\n$/, ''), build)
	}));
	const tasks = lines.flatMap(({ task }) => task ?? []);
	const strange = lines.filter(({ text: line, task }) => !task && line.includes(MARKER)).length;
	const problems = strange
		? [
				`${strange === 1 ? 'One line of the crontab has' : `${strange} lines of the crontab have`} our mark but not our command: changed by hand, or of another installation. It is left as it is.`
			]
		: [];
	const ids = tasks.map(({ id }) => id.toLowerCase());
	const twice = ids.find((id, i) => ids.indexOf(id) !== i);
	const damage = twice
		? `The task ${twice} is in the crontab twice. Nothing is changed here until one of the lines is removed by hand (crontab -e).`
		: null;
	return { lines, tasks, problems, damage };
}

/** The same table with the line of one task replaced, or removed when null. Every other byte stays. */
export function withLine({ lines }: Table, id: string, replacement: string | null): string {
	return lines
		.map(({ text, task }) => {
			if (task?.id !== id) return text;
			if (replacement === null) return '';
			return replacement + (text.endsWith('\n') ? '\n' : '');
		})
		.join('');
}

/** The same table with one more line at the end; a last line without a line end gets one, as cron demands. */
export const withNewLine = (text: string, line: string) =>
	`${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;

export const newId = () => randomBytes(8).toString('hex');

import { nowOf } from '#schemas/operation-row';
import { rollsBack } from '#schemas/plain/words/operation-words';
import { sentenceCase } from '#schemas/plain/words/sentence-case';
import type { Operation, OperationKind, OperationSummary } from '#schemas/operation';
import { withoutIds } from '#schemas/plain/words/without-ids';
import { AppError } from '#core/errors';

const DOING: Record<OperationKind, (subject: string | null) => string> = {
	start: () => 'The server is being started',
	stop: () => 'The server is being stopped',
	restart: () => 'The server is being restarted',
	install: (mod) => `${mod ?? 'A mod'} is being installed`,
	update: (mod) => `${mod ?? 'A mod'} is being updated`,
	enable: (mod) => `${mod ?? 'A mod'} is being enabled`,
	disable: (mod) => `${mod ?? 'A mod'} is being disabled`,
	remove: (mod) => `${mod ?? 'A mod'} is being removed`,
	backup: () => 'A backup is being made',
	restore: (what) => `${what ?? 'A backup'} is being restored`,
	modpack: () => 'The modpack is being built',
	culprit: () => 'The mod to blame is being searched for',
	java: (version) => `${version ?? 'Java'} is being fetched`,
	create: (what) => `${what ?? 'A server'} is being set up`,
	import: (what) => `${what ?? 'A pack'} is being imported`,
	'change-software': (what) => `The server is being changed to ${what ?? 'another build'}`,
	upgrade: (what) => `The server is being upgraded to ${what ?? 'another game version'}`,
	'go-back': (what) => `The server is going back to ${what ?? 'an earlier version'}`
};

type InTheWay = Pick<
	Operation,
	'id' | 'kind' | 'subject' | 'by' | 'startedAt' | 'undoes' | 'countsDown' | 'countsDownTo'
>;

const words = (text: string) =>
	withoutIds(text, (at) => `${at.slice(0, 16).replace('T', ' ')} UTC`);

/** `409`: names what is in the way. */
export function inTheWay(operation: InTheWay): AppError {
	const { kind, subject, by, startedAt, countsDown, countsDownTo } = operation;
	const doing = operation.undoes
		? `The restore of ${words(operation.undoes.subject)} is being undone`
		: sentenceCase(DOING[kind](subject && words(subject)));
	const time = (at: string) => `${at.slice(11, 19)} UTC`;
	const what = () => {
		// Nothing of it has happened yet.
		if (!countsDown || !countsDownTo) return `${doing} since ${time(startedAt)} (by ${by})`;
		const end = kind === 'stop' ? 'stop' : 'restart';
		const announced = `${end} is announced for ${time(countsDownTo)}`;
		return kind === end ? `A ${announced} (by ${by})` : `${doing} (by ${by}), and the ${announced}`;
	};
	const sentence = `${what()}. Wait until that has finished${countsDown ? ', or cancel it' : ''}.`;
	return new AppError('conflict', sentence, { operation: operation.id });
}

export const notCancellable = (operation: string, why: 'ended' | 'elsewhere' | 'too-late') =>
	new AppError(
		'conflict',
		{
			ended: 'It has already ended.',
			elsewhere: 'It runs in another process and cannot be cancelled here.',
			'too-late': 'What it is doing now cannot be cancelled. Wait until it has finished.'
		}[why],
		{ operation }
	);

/** The operation in one line. */
export const toSummary = (operation: Operation): OperationSummary => {
	const { id, kind, subject, by, state, startedAt, finishedAt, cause } = operation;
	const { result, kept, undo, undoes, countsDownTo, killedBy, unclean, crashed, hung } = operation;
	const facts = { id, kind, subject, by, state, startedAt, finishedAt, cause };
	const more = {
		...(result && { result }),
		...(kept && { kept }),
		...(countsDownTo && { countsDownTo }),
		...(killedBy && { killedBy }),
		...(unclean && { unclean }),
		...(crashed && { crashed }),
		...(hung && { hung })
	};
	const restore = { ...(undo && { undo }), ...(undoes && { undoes }) };
	return {
		...{ ...facts, ...more, ...restore, ...nowOf(operation) },
		...(rollsBack(operation) && { rollsBack: true as const })
	};
};

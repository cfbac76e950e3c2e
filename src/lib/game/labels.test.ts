import { expect, test } from 'vitest';
import { OperationKind } from '$lib/schemas/operation';
import { NOT_TRIED, STAYED_UP, UP_AFTER_CRASH } from '$lib/schemas/plain/limits';
import {
	doing,
	ending,
	inBrief,
	inShort,
	noAnswer,
	operationTitle,
	operationVariant,
	stepDetail,
	outcome,
	shortTitle,
	verdict
} from './labels';

test('every success is reported as a sentence', () => {
	const said = (kind: OperationKind, subject: string | null) =>
		ending({ kind, subject, state: 'succeeded', cause: null });
	expect(said('update', '5 mods and 1 dependency')).toBe(
		'Done: updated 5 mods and added 1 dependency.'
	);
	expect(said('backup', null)).toBe('Done: the backup is complete.');
	for (const kind of OperationKind.options)
		expect(said(kind, 'it')).toMatch(/^Done: (the|[a-z]+ed it)/);
});

test('a success during which somebody killed the server is no plain one, and says what is lost', () => {
	const done = { subject: null, state: 'succeeded', cause: null, killedBy: 'bob' } as const;
	const restart = { ...done, kind: 'restart' } as const;
	const lost = 'What it had not saved is lost.';
	const headline = 'The server was killed and started again, as bob asked.';
	expect(verdict(restart)).toEqual({ headline, why: lost });
	expect(ending(restart)).toBe(`${headline} ${lost}`);
	expect(outcome(restart)).toBe(lost);
	expect(operationVariant(restart)).toMatchObject({
		word: 'Killed and started again',
		tone: 'changing'
	});
	const why = `bob killed the server while it was stopping. ${lost}`;
	expect(verdict({ ...done, kind: 'update', subject: 'Salt 2' })).toEqual({
		headline: 'Done: updated Salt 2.',
		why
	});
	const plain = { ...restart, killedBy: undefined };
	expect(operationVariant(plain)).toMatchObject({ word: 'Succeeded', tone: 'calm' });
	expect(ending(plain)).toBe('Done: the server was restarted.');
});

test('what a notice has room for is whole sentences, or the beginning of a long one', () => {
	const words = 'It crashed at once. The old mods are in place again. Look at it.';
	expect(inBrief(words, 200)).toBe(words);
	expect(inBrief(words, 55)).toBe('It crashed at once. The old mods are in place again.');
	expect(inBrief(words, 5)).toBe('It …');
	expect(inBrief('x '.repeat(40), 21)).toBe('x x x x x x x x x x …');
});

test('a success whose server did not stop cleanly is no plain one, and says how it ended', () => {
	const unclean =
		'It was killed from outside while it was stopping. What it had not saved is lost.';
	const done = { subject: null, state: 'succeeded', cause: null, unclean } as const;
	const headline = 'The server did not stop cleanly, and was started again.';
	expect(verdict({ ...done, kind: 'restart' })).toEqual({ headline, why: unclean });
	expect(operationVariant({ ...done, kind: 'restart' })).toMatchObject({
		word: 'Succeeded, no clean stop',
		tone: 'changing'
	});
	expect(verdict({ ...done, kind: 'update', subject: 'Salt 2' })).toEqual({
		headline: 'Done: updated Salt 2.',
		why: unclean
	});
});

test('a success whose server crashed soon after is no plain one, and says how long it lasted', () => {
	const at = (s: number) => new Date(Date.UTC(2026, 0, 2, 3, 0, s)).toISOString();
	const done = {
		state: 'succeeded',
		cause: null,
		finishedAt: at(0),
		crashed: { at: at(12) }
	} as const;
	const headline = (facts: Pick<Parameters<typeof verdict>[0], 'kind' | 'subject' | 'steps'>) =>
		verdict({ ...done, ...facts })?.headline;
	const start = { kind: 'start', subject: null } as const;
	expect(headline(start)).toBe(
		'The server was started: it came up healthy, and crashed 12 s later.'
	);
	const steps = [{ id: 'verify', detail: STAYED_UP }];
	expect(headline({ kind: 'update', subject: 'Salt 2', steps })).toBe(
		'Updated Salt 2: the server came up healthy, and crashed 12 s later.'
	);
	expect(headline({ kind: 'upgrade', subject: '1.21.4' })).toBe(
		'The game was upgraded: the server came up healthy, and crashed 12 s later.'
	);
	expect(operationVariant({ ...done, ...start })).toMatchObject({
		...{ word: 'Succeeded, then crashed', tone: 'changing' }
	});
	const hung = { ...start, crashed: undefined, hung: { at: at(0.4) } };
	expect(headline(hung)).toMatch(
		/^The server was started: it came up healthy, and stopped responding/
	);
	expect(operationVariant({ ...done, ...hung })).toMatchObject({
		...{ word: 'Succeeded, then hung', tone: 'changing' }
	});
	expect(stepDetail(done, STAYED_UP)).toBe('It came up healthy, and crashed 12 s later.');
	expect(stepDetail({ finishedAt: at(0) }, STAYED_UP)).toBe(STAYED_UP);
});

test('a title says what is updated and what is added', () => {
	const title = (subject: string) => operationTitle({ kind: 'update', subject });
	expect(title('5 mods and 1 dependency')).toBe('Update 5 mods and add 1 dependency');
	expect(title('Lantern 1.5 and 2 dependencies')).toBe('Update Lantern 1.5 and add 2 dependencies');
	expect(title('Salt and 1 dependency checker')).toBe('Update Salt and 1 dependency checker');
	// Older operations count them in other words.
	expect(title('5 mods and 1 they need')).toBe('Update 5 mods and add 1 they need');
	expect(title('Lantern 1.5 and 2 it needs')).toBe('Update Lantern 1.5 and add 2 it needs');
});

test.each([
	['update', '5 mods and 1 dependency', 6, 'Update 5, add 1'],
	['update', '5 mods and 1 they need', 6, 'Update 5, add 1'],
	['update', 'Lantern 1.5 and 2 dependencies', 3, 'Update 1, add 2'],
	['update', '5 mods', 5, 'Update 5 mods'],
	['install', 'Lantern 1.5 and 2 dependencies', 3, 'Install 1 and 2 more'],
	['remove', 'Salt', 1, 'Remove 1 mod']
] as const)('%s of %s is short, with the same numbers', (kind, subject, count, words) => {
	expect(shortTitle({ kind, subject }, count)).toBe(words);
});

test('a failure has a headline and a reason, each shown once', () => {
	const why = 'The mod Waymarks needs Wick, which is missing.';
	const cause = { message: why };
	const failed = { kind: 'start', subject: null, state: 'failed', cause } as const;
	expect(verdict(failed)).toEqual({ headline: 'The server did not start.', why });
	for (const kind of OperationKind.options) {
		const said = verdict({ ...failed, kind, subject: 'Lithium 0.14.0 and 2 more mods' })!;
		expect(said.headline).toMatch(/ did not | was not |No backup|^Could not [a-z]+ Lithium/);
		expect(said.headline).not.toContain(why);
	}
	for (const subject of ['5 mods and 1 dependency', '5 mods and 1 they need']) {
		const several = { ...failed, kind: 'update', subject } as const;
		expect(verdict(several)?.headline).toBe('Could not update 5 mods.');
	}
	const rollback = { id: 'rollback', detail: 'Rolled back: the server runs on 0.13.0 again.' };
	const back = { ...failed, kind: 'update', state: 'rolled-back' } as const;
	expect(verdict({ ...back, steps: [rollback] })).toEqual({ headline: rollback.detail, why });
	expect(verdict({ ...back, steps: [] })).toEqual({ headline: `Rolled back: ${why}`, why: null });
	expect(verdict({ ...failed, state: 'running', cause: null })).toBeNull();
});

test('a start whose wait ran out while the server loads is no failure', () => {
	const cause = {
		message: 'The server was still loading after 10 minutes.',
		loading: true
	} as const;
	const late = { kind: 'start', subject: null, state: 'failed', cause } as const;
	expect(operationVariant(late)).toMatchObject({ word: 'Timed out', tone: 'changing' });
	expect(ending(late)).toBe(cause.message);
	expect(verdict(late)).toEqual({ headline: cause.message, why: null });
	expect(operationVariant({ ...late, cause: null })).toMatchObject({ word: 'Failed', tone: 'bad' });
});

test('a change that a trial on a copy has stopped is no failure of the server', () => {
	const cause = { message: 'It does not start. This was found on a copy.', onCopy: true } as const;
	const stopped = { kind: 'install', subject: 'Salt 2', state: 'failed', cause } as const;
	for (const [kind, word] of [
		['install', 'Not installed'],
		['update', 'Not updated'],
		['upgrade', 'Not upgraded'],
		['restore', 'Not done']
	] as const)
		expect(operationVariant({ ...stopped, kind })).toMatchObject({ word, tone: 'changing' });
	expect(verdict(stopped)).toEqual({
		headline: 'Could not install Salt 2. Nothing was changed, and nobody was disconnected.',
		why: cause.message
	});
	expect(ending(stopped)).toBe(cause.message);
	const search = { kind: 'culprit', subject: '5 mods', state: 'failed', cause: null } as const;
	expect(operationVariant(search)).toMatchObject({ word: 'Not completed', tone: 'changing' });
	const other = { ...stopped, cause: { message: 'The disk is full.' } };
	expect(operationVariant(other)).toMatchObject({ word: 'Failed', tone: 'bad' });
});

test('while what was done is taken back, that is what is in progress', () => {
	const at = (status: 'running' | 'done') =>
		operationVariant({
			state: 'running',
			cause: null,
			steps: [{ id: 'rollback', detail: null, status }]
		});
	expect(at('running')).toMatchObject({ word: 'Rolling back', tone: 'changing', spin: true });
	expect(at('done').word).toBe('In progress');
});

test('in a list a search says whom it found, and a failure why', () => {
	const search = { kind: 'culprit', subject: 'all mods', state: 'succeeded', cause: null } as const;
	const culprits = [{ fileName: 'q.jar', title: 'Quiet Villagers', version: '3.0.0' }];
	expect(outcome({ ...search, result: { culprits, together: false, rest: [] } })).toBe(
		'Quiet Villagers 3.0.0 does not start here.'
	);
	expect(outcome({ ...search, result: { culprits: [], together: false, rest: [] } })).toBe(
		'No mod could be blamed.'
	);
	const named = ['Lithium'];
	expect(outcome({ ...search, result: { culprits: [], together: false, rest: [], named } })).toBe(
		'Nothing was proved on copies; the log names Lithium.'
	);
	// Neither is drawn as good news, nor as trouble.
	const found = { ...search, result: { culprits, together: false, rest: [] } };
	expect(operationVariant(found)).toMatchObject({ word: 'Mod found', tone: 'off' });
	const both = { culprits: [...culprits, ...culprits], together: true, rest: [] };
	expect(operationVariant({ ...found, result: both }).word).toBe('Mods found');
	expect(operationVariant(search)).toMatchObject({ word: 'Nothing found', tone: 'off' });
	expect(outcome({ ...search, state: 'running' })).toBeNull();
	// Of the others it says what was tried, and no more.
	const why = (rest: number, tried?: number, started?: string[]) =>
		verdict({
			...search,
			result: { ...{ culprits, together: false, rest: Array(rest).fill('') }, tried, started }
		})?.why;
	expect(why(4, 2, ['Lithium', 'Waymarks'])).toBe(
		'Two of the other four updates started without it: Lithium and Waymarks. The search had its answer then, so the other two have not been tried; an update tries them.'
	);
	expect(why(4, 3)).toBe(
		'Three of the other four updates started without it. The search had its answer then, so the other one has not been tried; an update tries it.'
	);
	expect(why(4, 4)).toBe('The other four updates started without it.');
	expect(why(1, 0)).toBe('The other update has not been tried without it.');
	expect(why(2)).toBe('The other two updates can be tried without it.');
	expect(outcome({ ...search, kind: 'update' })).toBeNull();
	const cause = { message: 'The port is taken.' };
	expect(outcome({ ...search, kind: 'start', state: 'failed', cause })).toBe('The port is taken.');
});

test('an id in a subject is shown as a readable time', () => {
	const subject = 'backup 20260102T030405Z-1a2b';
	expect(operationTitle({ kind: 'restore', subject })).toMatch(
		/^Restore backup of 2 Jan 2026, 03:04:05 UTC$/
	);
	expect(operationTitle({ kind: 'restore', subject: 'snapshot 20260102T030405123Z-1a2b' })).toMatch(
		/^Restore snapshot of /
	);
});

test('while a backup is restored, it is not said that the mods are changed', () => {
	const subject = 'the backup 20260102T030405Z-1a2b';
	expect(doing({ kind: 'restore', subject })).toBe(
		'The backup of 2 Jan 2026, 03:04:05 UTC is being restored.'
	);
	expect(doing({ kind: 'update', subject: 'Lithium' })).toBe(
		'The mods are being changed: Lithium.'
	);
});

test('a restore that takes back another one is called what it does', () => {
	const undoes = { operation: 'x', subject: 'the backup 20260102T030405Z-1a2b' };
	expect(operationTitle({ kind: 'restore', subject: 'the backup of before', undoes })).toBe(
		'Undo the restore of the backup of 2 Jan 2026, 03:04:05 UTC'
	);
});

test('a change that stays although the server does not start is not said to have failed', () => {
	const kept = 'Removed Deco. The server still does not start, for the same reason as before.';
	const message = `${kept.slice(0, -1)}: The disk is full.`;
	const operation = {
		kind: 'remove',
		subject: 'Deco',
		state: 'failed',
		cause: { message }
	} as const;
	expect(verdict({ ...operation, kept })).toEqual({
		headline: kept,
		why: 'The disk is full.'
	});
	expect(ending({ ...operation, kept })).toBe(message);
});

test('a restore that takes back another one says that it undid that', () => {
	const undoes = { subject: 'the backup of Salt' };
	const undo = { kind: 'restore', subject: 'the backup of before', undoes, cause: null } as const;
	const restore = 'the restore of the backup of Salt';
	expect(ending({ ...undo, state: 'succeeded' })).toBe(`Done: undid ${restore}.`);
	expect(verdict({ ...undo, state: 'failed' })?.headline).toBe(`Could not undo ${restore}.`);
	expect(ending({ ...undo, state: 'cancelled' })).toBe(
		`Undoing ${restore} cancelled: nothing was changed.`
	);
	expect(doing(undo)).toBe('The restore of the backup of Salt is being undone.');
});

test('a change of the files alone says that it has not been tried', () => {
	const steps = [{ id: 'verify', detail: NOT_TRIED }];
	expect(
		verdict({ kind: 'remove', subject: 'Deco', state: 'succeeded', cause: null, steps })
	).toEqual({ headline: 'Done: removed Deco.', why: NOT_TRIED });
});

test('of why something failed a list says the first sentence, in plain words', () => {
	for (const [message, short] of [
		[
			'The server crashed (Ticking entity): NullPointerException: Cannot invoke "net.minecraft.class_1297.method_5667()" because "entity" is null',
			'The server crashed (Ticking entity).'
		],
		[
			'The mod Quiet Villagers 3.0.0 failed while it was loaded: java.lang.NoSuchMethodError: void a.b(). Two more are named.',
			'The mod Quiet Villagers 3.0.0 failed while it was loaded.'
		],
		['The port 25565 is in use. Another server may run.', 'The port 25565 is in use.'],
		['It did not stay up: it was ready for 3 s.', 'It did not stay up: it was ready for 3 s.'],
		['The disk is full', 'The disk is full.']
	])
		expect(inShort(message!)).toBe(short);
});

test.each([
	[STAYED_UP, 'Done: disabled Deco, and the server came up healthy again.'],
	[UP_AFTER_CRASH, 'Done: disabled Deco, and the server came up healthy again.'],
	['It came up healthy. It was stopped before, and is stopped again.', 'Done: disabled Deco.'],
	['The server does not load these files: it was left alone.', 'Done: disabled Deco.']
])(
	'that the server is up again is said where it was started and stayed up: %s',
	(detail, words) => {
		const steps = [{ id: 'verify', detail }];
		expect(
			verdict({ kind: 'disable', subject: 'Deco', state: 'succeeded', cause: null, steps })
				?.headline
		).toBe(words);
	}
);

test('only a server that should answer is said not to', () => {
	const server = { state: 'unknown', online: false } as const;
	expect(noAnswer(server)).toBe('The server does not answer now.');
	expect(noAnswer({ ...server, hanging: true })).toBe('The server is not responding now.');
	expect(noAnswer({ ...server, online: true })).toBeNull();
	expect(noAnswer({ ...server, state: 'stopped' })).toBeNull();
	expect(noAnswer({ ...server, state: 'starting', hanging: true })).toBeNull();
});

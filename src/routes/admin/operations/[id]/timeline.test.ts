import { expect, test, vi } from 'vitest';
import { render } from 'svelte/server';
import type { Operation, OperationLog, Step } from '$lib/schemas/operation';
import { CAN_KILL } from '$lib/schemas/plain/words/kill-words';
import OperationTimeline from '$lib/game/operations/OperationTimeline.svelte';
import TimelineStep from '$lib/game/operations/TimelineStep.svelte';
import { NOT_REACHED } from '$lib/schemas/plain/limits';

const { session } = vi.hoisted(() => ({ session: { isSuperadmin: false } }));
vi.mock('$lib/client/session.svelte.ts', () => ({ getSession: () => session }));

const AT = '2026-01-02T03:04:05.000Z';
const said = (facts: Partial<Step>, log: OperationLog | null = null) => {
	const step: Step = {
		...{ id: 'verify', label: 'Start and watch', status: 'running', detail: null, progress: null },
		...{ expected: { usualMs: null, limitMs: 30_000 }, at: AT },
		...facts
	};
	return render(TimelineStep, { props: { step, since: AT, log } }).body;
};

test('a step in progress says when it will give up, not that it has', () => {
	expect(said({})).toContain('Gives up after 30 s.');
	const both = said({ expected: { usualMs: 5000, limitMs: 30_000 } });
	expect(both).toContain('Usually 5 s, gives up after 30 s.');
	expect(said({ status: 'done' })).not.toContain('up after');
});

test('who may kill the server is not told that somebody else can', () => {
	const detail = `If it does not end, ${CAN_KILL}: what the game has not saved is lost.`;
	expect(said({ detail })).toContain('If it does not end, a superadmin can kill it: what');
	session.isSuperadmin = true;
	expect(said({ detail })).toContain('If it does not end, kill it: what');
	session.isSuperadmin = false;
});

test('a step in which the server was killed says so, and has no tick', () => {
	const [done, killed] = [said({ status: 'done' }), said({ status: 'done', killedBy: 'ada' })];
	expect(done).toMatch(/<span class="[^"]*visually-hidden[^"]*">\s*Done/);
	expect(killed).toMatch(/<span class="(?![^"]*visually-hidden)[^"]*">\s*Server killed/);
	const mark = (body: string) => /<path d="[^"]+/.exec(body)![0];
	expect(mark(killed)).not.toBe(mark(done));
});

test('a step took until it ended, whatever became of it later', () => {
	const later = (s: number) => new Date(Date.parse(AT) + s * 1000).toISOString();
	expect(said({ status: 'undone', endedAt: later(4), at: later(90) })).toMatch(/>4 s</);
	expect(said({ status: 'done', at: later(90) })).toMatch(/>90 s<|>1 min/);
});

test('what the server writes has a box once it writes something', () => {
	const label = 'What the server writes';
	expect(said({}, { step: 'verify', lines: ['Loading'] })).toContain(label);
	expect(said({}, { step: 'verify', lines: [] })).not.toContain(label);
});

/** What the rows say, and of what is folded only how much there is. */
const timeline = (statuses: [string, Step['status']][], facts: Partial<Operation> = {}) => {
	const steps = statuses.map(([id, status]) => ({
		...{ id, label: `Do ${id}`, status, progress: null, at: AT },
		detail: status === 'skipped' ? NOT_REACHED : null
	})) as Step[];
	const operation = {
		...{ kind: 'update', state: 'failed', subject: 'x', startedAt: AT, finishedAt: AT, steps },
		...{ cause: { message: 'No.', log: [], mods: [] }, by: 'ada', ...facts }
	} as Operation;
	const { body } = render(OperationTimeline, { props: { operation } });
	const list = body.slice(body.indexOf('<ol'));
	return list
		.replace(/<ol[^>]*>(?:(?!<ol).)*?<\/ol>(?=[^]*<\/ol>)/gs, '')
		.replace(/<[^>]*>/g, ' ')
		.replaceAll(/\d+ ms/g, '');
};
const AFTER = ['snapshot', 'stop', 'swap'].map((id): [string, Step['status']] => [id, 'skipped']);

test('the steps that a failure was before are one row, and not said to be needless, and nothing untouched is put back', () => {
	const failed = timeline([['trial', 'failed'], ...AFTER, ['rollback', 'skipped']]);
	expect(failed).toMatch(/Do trial\s+Failed\s+3 steps were not reached/);
	expect(failed).not.toMatch(/Skipped|Do (?:snapshot|rollback)/);
	const searched = timeline([['trial', 'failed'], ...AFTER, ['search', 'done']]);
	expect(searched).toMatch(/Failed\s+3 steps were not reached\s+Do search/);
	const back = timeline([
		['verify', 'failed'],
		['tidy', 'skipped'],
		['rollback', 'done']
	]);
	expect(back).toMatch(/Do tidy\s+Skipped\s+Do rollback\s+Done/);
	const cancelled = timeline([['wait', 'skipped'], ...AFTER], { state: 'cancelled', cause: null });
	expect(cancelled).toContain('4 steps were not reached');
});

test('the step that failed is named with how it ended, and led to; nothing is where none has', () => {
	const of = (status: Step['status'], before = 3) => {
		const step = { label: 'Start and watch', progress: null, at: AT };
		const steps = [
			...Array.from({ length: before }, (_, i) => ({ ...step, id: `${i}`, status: 'done' })),
			{ ...step, id: 'verify', status }
		];
		const operation = {
			...{ kind: 'update', state: status === 'failed' ? 'rolled-back' : 'cancelled', subject: 'x' },
			...{ startedAt: AT, finishedAt: AT, steps, by: 'ada' },
			cause: { message: 'No.', log: [], mods: [] }
		} as unknown as Operation;
		return render(OperationTimeline, { props: { operation } }).body;
	};
	expect(of('failed')).toContain('The step that failed:');
	expect(of('failed')).toContain('<a href="#step-verify">Start and watch</a>');
	expect(of('failed')).toContain('id="step-verify"');
	expect(of('undone')).not.toContain('#step-');
	// It is in sight anyway.
	expect(of('failed', 1)).not.toContain('#step-');
});

test('what was found out stands first, then plain words, and the exact ones are folded below them', () => {
	const raw =
		'The mod Quiet failed while it was loaded: java.lang.NullPointerException: "d" is null.';
	const operation = {
		...{ kind: 'update', state: 'failed', subject: '5 mods', by: 'ada', steps: [] },
		...{ startedAt: AT, finishedAt: AT, cause: { message: raw, log: [], mods: [] } }
	} as unknown as Operation;
	const found = 'Quiet 3.0.0 does not start here.';
	const { body } = render(OperationTimeline, { props: { operation, found } });
	const text = body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
	expect(text).toMatch(
		/Quiet 3\.0\.0 does not start here\. .*Could not update 5 mods\. .*Quiet failed while it was loaded\. .*Exact words .*NullPointerException/
	);
	expect(text.match(/NullPointerException/g)).toHaveLength(1);
	expect(body).toMatch(/<details[^>]*>(?:(?!<\/details>)[^])*NullPointerException/);
	const plain = {
		...operation,
		cause: { message: 'No.', log: [], mods: [] }
	} as unknown as Operation;
	expect(render(OperationTimeline, { props: { operation: plain } }).body).not.toContain('Exact');
});

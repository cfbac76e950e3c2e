import { createRawSnippet } from 'svelte';
import { render } from 'svelte/server';
import { expect, test, vi } from 'vitest';
import type { Submit } from '$lib/client/enhance.svelte.ts';
import type { ServerState } from '$lib/schemas/status';
import type { Holder, PowerAction } from './power';
import PowerForm from './PowerForm.svelte';

vi.mock('$app/forms', () => ({ enhance: () => {} }));

const form = (
	action: PowerAction,
	state: ServerState,
	more: {
		hanging?: boolean;
		mayKill?: boolean;
		operation?: Holder;
		wanted?: number;
		players?: number;
	} = {}
) =>
	render(PowerForm, {
		props: {
			...{ action, state, players: null, damaged: [], maxlength: 100 },
			submit: { busy: false, failure: null } as Submit,
			cancel: createRawSnippet(() => ({ render: () => '<i></i>' })),
			...more
		}
	}).body;

test('no countdown is offered where nobody could read it', () => {
	expect(form('restart', 'running')).toContain('In 15 minutes');
	for (const action of ['stop', 'restart'] as const)
		expect(form(action, 'unknown', { hanging: true })).not.toMatch(/In 15 minutes|name="message"/);
});

test('only whoever may kill is asked whether a server that answers nothing is killed in the end', () => {
	const hanging = { hanging: true, mayKill: true };
	const box = (more: object) =>
		/<input[^>]*name="kill"[^>]*>/.exec(form('restart', 'unknown', more))?.[0];
	// After so long no large save explains it.
	expect(box(hanging)).toContain('checked');
	expect(box({ mayKill: true })).not.toContain('checked');
	expect(form('restart', 'unknown', { mayKill: true })).toContain('name="kill"');
	expect(form('restart', 'unknown', hanging)).not.toContain('a superadmin can kill it');
	expect(form('restart', 'unknown', { hanging: true })).not.toContain('name="kill"');
	expect(form('restart', 'unknown', { hanging: true })).toContain('a superadmin can kill it');
	expect(form('restart', 'starting', hanging)).not.toContain('name="kill"');
	expect(form('restart', 'running', { mayKill: true })).not.toContain('name="kill"');
	expect(form('stop', 'unknown', hanging)).not.toContain('name="kill"');
	expect(form('stop', 'unknown', hanging)).toContain('If it does not end, kill it.');
});

test('what is to come later than any countdown is planned as a task', () => {
	for (const action of ['restart', 'stop'] as const)
		expect(form(action, 'running')).toContain(
			`href="/admin/schedule?type=${action}&amp;preset=once#new"`
		);
	expect(form('kill', 'running')).not.toContain('/admin/schedule');
});

test('a kill names what is in progress, and nothing else does', () => {
	const operation = { kind: 'restart', subject: null } as const;
	expect(form('kill', 'stopping', { operation })).toContain('started again right after the kill');
	expect(form('kill', 'stopping')).not.toContain('in progress');
	expect(form('stop', 'running', { operation })).not.toContain('in progress');
});

test('what was asked for is honoured, also where nobody plays, or it says what happens instead', () => {
	const asked = form('restart', 'running', { wanted: 600 });
	expect(asked).toMatch(/<option value="600" selected[^>]*>In 10 minutes/);
	expect(asked).toContain('Restart in 10 min');
	expect(asked).not.toContain('at most');
	expect(form('stop', 'running', { wanted: 600, players: 0 })).toContain('Stop in 10 min');
	expect(form('stop', 'running', { players: 0 })).not.toContain('delaySeconds');
	expect(form('stop', 'running', { wanted: 7200 })).toContain('lasts 60 minutes at most');
	const now = form('restart', 'unknown', { wanted: 600, hanging: true });
	expect(now).toContain('this is done at once');
	expect(now).not.toContain('In 10 minutes');
});

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
	more: { hanging?: boolean; operation?: Holder } = {}
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

test('a kill names what is in progress, and nothing else does', () => {
	const operation = { kind: 'restart', subject: null } as const;
	expect(form('kill', 'stopping', { operation })).toContain('started again right after the kill');
	expect(form('kill', 'stopping')).not.toContain('in progress');
	expect(form('stop', 'running', { operation })).not.toContain('in progress');
});

import { expect, test, vi } from 'vitest';
import { render } from 'svelte/server';
import type { OperationRow } from '$lib/schemas/operation';
import type { Status } from '$lib/schemas/status';
import PowerControls from './PowerControls.svelte';

const { session } = vi.hoisted(() => ({ session: { isSuperadmin: true } }));
vi.mock('$app/forms', () => ({ enhance: () => {} }));
vi.mock('$lib/client/session.svelte.ts', () => ({ getSession: () => session }));
vi.mock('$lib/client/queries.svelte.ts', () => ({ getQueries: () => ({}) }));
vi.mock('$lib/client/toasts.svelte.ts', () => ({ getToasts: () => ({}) }));

function buttons(
	status: Pick<Status, 'state' | 'hanging'>,
	isSuperadmin = true,
	operation: OperationRow | null = null,
	advised: 'kill' | 'restart' | null = null
) {
	session.isSuperadmin = isSuperadmin;
	const props = {
		status: { online: false, players: { online: null }, reason: null, ...status } as Status,
		...{ operation, damaged: [], announcementMax: 100, unready: null, doomed: false, advised }
	};
	const { body } = render(PowerControls, { props });
	return [
		...body.matchAll(/<button class="button ([a-z-]+)[^]*?<span class="clip[^>]*>(.*?)<\/span>/g)
	].map(([, variant, words]) => `${words!.replaceAll(/<[^>]*>/g, '')} ${variant}`);
}

test('the buttons have the same places in every state: of a server that hangs, Restart is the first to try', () => {
	expect(buttons({ state: 'unknown', hanging: true })).toEqual([
		'Start secondary',
		'Restart primary',
		'Stop quiet-danger',
		'Kill quiet-danger'
	]);
	expect(buttons({ state: 'unknown', hanging: true }, false)).toEqual([
		'Start secondary',
		'Restart primary',
		'Stop quiet-danger'
	]);
	expect(buttons({ state: 'unknown' })).toEqual([
		'Start primary',
		'Restart secondary',
		'Stop quiet-danger',
		'Kill quiet-danger'
	]);
});

test('what is wrong advises the restart or the kill, which stands out in its place', () => {
	expect(buttons({ state: 'stopping', hanging: true }, true, null, 'kill')).toEqual([
		...['Start secondary', 'Restart secondary', 'Stop quiet-danger', 'Kill danger']
	]);
	expect(buttons({ state: 'unknown', hanging: true }, true, null, 'restart')).toEqual([
		...['Start secondary', 'Restart primary', 'Stop quiet-danger', 'Kill quiet-danger']
	]);
});

test('of a start that hangs the log is read first, and what cannot be pressed is not the first to try', () => {
	const starting = { state: 'starting', hanging: true } as const;
	const start = { kind: 'start', state: 'running', cancellable: true } as OperationRow;
	expect(buttons(starting).slice(1, 3)).toEqual(['Restart secondary', 'Stop quiet-danger']);
	expect(buttons(starting, true, start).slice(0, 3)).toEqual([
		...['Start secondary', 'Restart secondary', 'Stop quiet-danger']
	]);
	const stop = { ...start, kind: 'stop' } as OperationRow;
	expect(buttons({ state: 'stopping', hanging: true }, true, stop).slice(1, 3)).toEqual([
		...['Restart secondary', 'Stop quiet-danger']
	]);
});

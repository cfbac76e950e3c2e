import type { Role } from '$lib/schemas/common';
import type { ComponentProps } from 'svelte';
import type SkeletonPage from '$lib/ui/page/SkeletonPage.svelte';
import type { OperationRow } from '$lib/schemas/operation';
import { operationTitle } from '../labels';
import { isHere, placesFor } from './places';

type Shape = ComponentProps<typeof SkeletonPage>;
type Blocks = Shape['blocks'];

const panel = (rows: number, height: number, title = false) =>
	({ kind: 'panel', rows, height, title }) as const;
const TABS = { kind: 'tabs' } as const;
const CHIPS = { kind: 'chips' } as const;
const SEARCH = { kind: 'chips', search: true } as const;

/** What a page shows, from the top; heights are those of its rows in px. */
const SHAPES: Record<string, Blocks> = {
	'/admin': [panel(1, 240), panel(4, 48, true)],
	'/admin/players': [TABS, SEARCH, panel(6, 56)],
	'/admin/chat': [panel(14, 24), panel(1, 96)],
	'/admin/mods': [TABS, SEARCH, panel(8, 60, true)],
	'/admin/backups': [TABS, panel(1, 140, true), panel(4, 56, true)],
	'/admin/schedule': [panel(2, 64, true), panel(4, 64, true)],
	'/admin/logs': [TABS, { kind: 'chips', height: 59 }, panel(18, 22, true)],
	'/admin/console': [panel(22, 24)],
	'/admin/analytics': [CHIPS, panel(1, 220, true), panel(1, 220, true), panel(1, 220, true)],
	'/admin/stats': [SEARCH, panel(10, 48, true)],
	'/admin/activity': [TABS, CHIPS, panel(8, 48)],
	'/admin/notifications': [panel(2, 64, true), panel(1, 72, true)],
	'/admin/devices': [panel(1, 100, true), panel(1, 64, true)],
	'/admin/server': [panel(1, 60, true), panel(3, 48, true)],
	'/admin/settings': [panel(4, 68, true), panel(5, 68, true)]
};
/** Lines of the sentence under the heading. */
const LEDES: Record<string, number> = {
	'/admin/mods': 1,
	'/admin/schedule': 2,
	'/admin/notifications': 2,
	'/admin/devices': 2,
	'/admin/console': 1,
	'/admin/stats': 1
};
/** Has a list of links beside it on a wide screen. */
const ASIDE = '/admin/stats';
/** Of one thing: a player, an operation, a plan. */
const DETAIL: Blocks = [panel(5, 48)];

const OPERATION = /^\/admin\/operations\/([^/]+)$/;

/** What a page looks like before it has loaded; null where nobody knows yet what it will be headed with. */
export function shapeOf(
	{ pathname }: URL,
	role: Role | null,
	operations: OperationRow[] = []
): Shape | null {
	const id = OPERATION.exec(pathname)?.[1];
	const operation = operations.find((one) => one.id === id);
	const place = id ? undefined : placesFor(role).find((one) => isHere(one, pathname));
	const title = operation ? operationTitle(operation) : place?.label;
	if (!title) return null;
	return {
		title,
		lede: LEDES[pathname] ?? 0,
		aside: pathname === ASIDE,
		blocks: SHAPES[pathname] ?? DETAIL
	};
}

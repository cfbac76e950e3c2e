import { z } from 'zod';
import { BackupId } from '$lib/schemas/backup';
import { OperationId, type Operation, type OperationKind } from '$lib/schemas/operation';
import { listed } from '$lib/schemas/plain/listed';
import { isNamed, type ModTitles } from '$lib/schemas/plain/mod-titles';
import type { Mod } from '$lib/schemas/mod';
import { SnapshotId } from '$lib/schemas/snapshot';

const planOf = (kind: OperationKind, files: string[]) =>
	`/admin/mods/plan?${new URLSearchParams([
		['do', kind],
		...files.map((fileName): [string, string] => ['file', fileName])
	])}`;
const taken = (kind: OperationKind) =>
	z.object({ take: z.array(z.object({ fileName: z.string() })) }).transform(({ take }) =>
		planOf(
			kind,
			take.map(({ fileName }) => fileName)
		)
	);
const renamed = (kind: OperationKind) =>
	z.object({ rename: z.array(z.object({ from: z.string() })) }).transform(({ rename }) =>
		planOf(
			kind,
			rename.map(({ from }) => from)
		)
	);

const Kept = z.object({ kept: OperationId });
/** The upgrade that was taken back. */
export const keptIn = (input: unknown): string | null => Kept.safeParse(input).data?.kept ?? null;

/** What of the journalled input leads back to where it was asked for. */
const ASKED = {
	update: taken('update'),
	remove: taken('remove'),
	enable: renamed('enable'),
	disable: renamed('disable'),
	restore: z.union([
		z.object({ snapshot: SnapshotId }).transform(({ snapshot }) => {
			return `/admin/backups/confirm?${new URLSearchParams({ snapshot, do: 'restore' })}`;
		}),
		z
			.object({
				id: BackupId,
				scope: z.string(),
				world: z.string().default(''),
				uuid: z.string().default('')
			})
			.transform(
				({ id, ...wish }) =>
					`/admin/backups/restore?${new URLSearchParams({ backup: id, ...wish })}`
			)
	]),
	'go-back': Kept.transform((input) => `/admin/server/back?${new URLSearchParams(input)}`),
	culprit: z
		.object({ operationId: OperationId })
		.transform(({ operationId }) => `/admin/operations/${operationId}`)
} satisfies Partial<Record<OperationKind, z.ZodType<string>>>;

/** The page that says what the same would do now, and does it; null when there is none. */
export function addressAgain(kind: OperationKind, input: unknown): string | null {
	const schema = (ASKED as Partial<Record<OperationKind, z.ZodType<string>>>)[kind];
	return schema?.safeParse(input).data ?? null;
}

const Upgraded = z.object({
	target: z.object({ gameVersion: z.string() }),
	change: z.object({ rename: z.array(z.object({ from: z.string(), to: z.string() })) })
});

/** The same upgrade without the mods that it failed because of: they are parked, as those that were parked for it. */
export type Without = { gameVersion: string; park: string[]; title: string };
const NAMED_MAX = 2;

/** Null where nothing is named, or what is named would not be there either. */
export function upgradeWithout(
	{ kind, state, cause, steps }: Pick<Operation, 'kind' | 'state' | 'cause' | 'steps'>,
	input: unknown,
	{ installed, titles }: { installed: Mod[]; titles: ModTitles }
): Without | null {
	const asked = Upgraded.safeParse(input).data;
	const hasBooted = steps.some(
		({ id, status }) => status === 'failed' && ['trial', 'restart', 'verify'].includes(id)
	);
	if (kind !== 'upgrade' || state === 'succeeded' || !asked || !hasBooted) return null;
	const enabled = installed.filter((mod) => mod.enabled);
	const named = enabled.filter((mod) =>
		cause?.mods.some((id) => isNamed(id, mod) || titles[id] === mod.name)
	);
	if (!named.length) return null;
	const before = asked.change.rename.map(({ from }) => from);
	const parked = enabled.filter(({ fileName }) => before.includes(fileName));
	const park = new Set([...parked, ...named].map(({ fileName }) => fileName));
	return {
		gameVersion: asked.target.gameVersion,
		park: [...park],
		title: listed(
			named.map(({ name }) => name),
			NAMED_MAX
		)
	};
}

/** What a backup was asked to be. */
export const BackupAsked = z
	.object({ note: z.string(), withMods: z.boolean().optional() })
	.catch({ note: '' });

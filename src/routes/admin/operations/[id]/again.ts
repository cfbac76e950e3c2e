import { z } from 'zod';
import { BackupId } from '$lib/schemas/backup';
import { OperationId, type OperationKind } from '$lib/schemas/operation';
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

/** What a backup was asked to be. */
export const BackupAsked = z
	.object({ note: z.string(), withMods: z.boolean().optional() })
	.catch({ note: '' });

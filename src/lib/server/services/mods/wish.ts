import type { Role } from '#schemas/common';
import type { ModWish, Plan, PlanAgreement, PlanRequest } from '#schemas/mod';
import type { Operation } from '#schemas/operation';
import type { Actor } from '#core/actor';
import { AppError } from '#core/errors';
import { agreedIn, type Agreed, type createExecution } from './execution.ts';
import type { Known } from './known.ts';
import type { Parked } from './parked.ts';
import { type Install, installRequest } from './request.ts';

type Deps = Pick<
	ReturnType<typeof createExecution>,
	'install' | 'update' | 'remove' | 'switchFiles'
> & {
	/** Files that have an update and no lock. */
	newer: () => Promise<string[]>;
	preview: (request: PlanRequest, role: Role) => Promise<Plan>;
	read: () => Promise<Known>;
	parked: Pick<Parked, 'add'>;
};

/** What the address of a preview asks for, as the request for its plan and as the change that follows it. */
export const createWishes = (deps: Deps) => ({
	async requestOf(wish: ModWish): Promise<PlanRequest> {
		const { do: kind, file, all } = wish;
		switch (kind) {
			case 'install':
				return installRequest(installsOf(wish));
			case 'update':
				return { update: all ? await deps.newer() : file };
			case 'remove':
				return { remove: file, ...alsoRemoved(wish) };
			default:
				return { [kind]: file };
		}
	},

	park: (files: string[], how: Parking) => park(deps, files, how),

	async fulfil(wish: ModWish, agreed: PlanAgreement, by: Actor): Promise<Operation> {
		const { do: kind, file, all } = wish;
		switch (kind) {
			case 'install':
				return deps.install(installsOf(wish), agreed, by);
			case 'update':
				return deps.update({ ...(all ? { all: true } : { fileNames: file }), ...agreed }, by);
			case 'remove':
				return deps.remove({ fileNames: file, ...alsoRemoved(wish), ...agreed }, by);
			default:
				if (kind === 'disable' && wish.park) return park(deps, file, { agreed, by });
				return deps.switchFiles(
					{ fileNames: file, enabled: kind === 'enable', ...agreedIn(agreed) },
					by
				);
		}
	}
});

const installsOf = ({ project, version }: ModWish): Install[] =>
	project.map((projectId) => ({ projectId, versionId: version }));

const alsoRemoved = ({ dependents, orphans }: ModWish) => ({
	removeDependents: dependents === '1',
	removeOrphans: orphans === '1'
});

type Parking = { agreed: Agreed & { loseContent: boolean }; by: Actor };

/** Disabled, and remembered with what was there before. */
async function park(
	{ preview, read, parked, switchFiles }: Deps,
	file: string[],
	{ agreed, by }: Parking
): Promise<Operation> {
	const { world } = await preview({ disable: file }, by.role ?? 'admin');
	if (world && !agreed.loseContent)
		throw new AppError('conflict', `${world} Say that you have read this, then park them.`);
	const known = await read();
	const operation = await switchFiles({ fileNames: file, enabled: false, ...agreedIn(agreed) }, by);
	await parked.add(file, known);
	return operation;
}

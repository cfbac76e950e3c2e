import type { ModWish, PlanAgreement, PlanRequest } from '#schemas/mod';
import type { Operation } from '#schemas/operation';
import type { Actor } from '#core/actor';
import type { createExecution } from './execution.ts';

type Deps = Pick<
	ReturnType<typeof createExecution>,
	'install' | 'update' | 'remove' | 'switchFiles'
> & {
	/** Files that have an update and no lock. */
	newer: () => Promise<string[]>;
};

/** What the address of a preview asks for, as the request for its plan and as the change that follows it. */
export const createWishes = ({ install, update, remove, switchFiles, newer }: Deps) => ({
	async requestOf(wish: ModWish): Promise<PlanRequest> {
		const { do: kind, file, all, project: projectId, version: versionId } = wish;
		switch (kind) {
			case 'install':
				return { install: projectId ? [{ projectId, ...(versionId && { versionId }) }] : [] };
			case 'update':
				return { update: all ? await newer() : file };
			case 'remove':
				return { remove: file, ...alsoRemoved(wish) };
			default:
				return { [kind]: file };
		}
	},

	async fulfil(wish: ModWish, agreed: PlanAgreement, by: Actor): Promise<Operation> {
		const { do: kind, file, all, project = '', version } = wish;
		switch (kind) {
			case 'install':
				return install(
					{ projectId: project, ...(version && { versionId: version }), ...agreed },
					by
				);
			case 'update':
				return update({ ...(all ? { all: true } : { fileNames: file }), ...agreed }, by);
			case 'remove':
				return remove({ fileNames: file, ...alsoRemoved(wish), ...agreed }, by);
			default:
				return switchFiles(
					{
						fileNames: file,
						enabled: kind === 'enable',
						planId: agreed.planId,
						skipTrial: agreed.skipTrial
					},
					by
				);
		}
	}
});

const alsoRemoved = ({ dependents, orphans }: ModWish) => ({
	removeDependents: dependents === '1',
	removeOrphans: orphans === '1'
});

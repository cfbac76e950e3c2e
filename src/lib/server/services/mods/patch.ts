import type { ModPatch } from '#schemas/mod';
import type { Operation } from '#schemas/operation';
import type { Actor, RecordAction } from '#core/actor';
import { AppError } from '#core/errors';
import { agreedIn, type createExecution } from './execution.ts';
import type { FlagStore } from './flags.ts';
import type { createWishes } from './wish.ts';
import type { Known } from './known.ts';

type Deps = {
	flags: FlagStore;
	read: () => Promise<Known>;
	switchFiles: ReturnType<typeof createExecution>['switchFiles'];
	park: ReturnType<typeof createWishes>['park'];
	invalidate: () => void;
	repack: () => void;
	audit: RecordAction;
};

/** One thing about one file: switched on or off by an operation, or marked. */
export function createPatch(deps: Deps) {
	const { flags, read, switchFiles, invalidate, repack, audit } = deps;

	async function mark(
		fileName: string,
		{ flag, on, by }: { flag: 'locked' | 'shareable'; on: boolean; by: Actor }
	) {
		const { mods } = await read();
		const mod = mods.find((one) => one.fileName === fileName);
		if (!mod) throw new AppError('not-found', `There is no file ${fileName} in mods/ any more.`);
		if (mod.sha512 === null)
			throw new AppError('conflict', `${fileName} cannot be read, so it cannot be marked.`);
		if (!(await flags.set(mod, flag, on))) return;
		await audit(by, ACTIONS[flag][on ? 'on' : 'off'], { subject: mod.name, detail: fileName });
		invalidate();
		if (flag === 'shareable') repack();
	}

	return async (input: ModPatch, by: Actor): Promise<Operation | null> => {
		const { fileName } = input;
		if ('enabled' in input) {
			const { enabled } = input;
			return switchFiles({ fileNames: [fileName], enabled, ...agreedIn(input) }, by);
		}
		if ('parked' in input) return deps.park([fileName], { agreed: input, by });
		if ('locked' in input) await mark(fileName, { flag: 'locked', on: input.locked, by });
		else await mark(fileName, { flag: 'shareable', on: input.shareable, by });
		return null;
	};
}

const ACTIONS = {
	locked: { on: 'mods.lock', off: 'mods.unlock' },
	shareable: { on: 'mods.share', off: 'mods.unshare' }
} as const;

import { readdir } from 'node:fs/promises';
import { AppError } from '#core/errors';
import { onDisk } from '#core/files';
import { retryOnDiskError } from '#core/retry-on-disk-error';
import {
	countdownStep,
	type Countdown,
	type Definition,
	type StepContext,
	type StepPlan
} from '#operations';
import { checkpointOf, remember } from '../checkpoint.ts';
import { stopFor } from '../exchange.ts';
import { launch, prove } from '../operation.ts';
import { keepOriginal, note, PREFIX, readKept, withdrawNote, type Kept } from '../original.ts';
import { rollback, serverAsBefore, type Course } from '../rollback.ts';
import { snapshotStep } from '../snapshot-step.ts';
import type { Deps } from '../types.ts';
import { exchangeNow, swapsOf } from './exchange.ts';
import { isInstalled, titleOf, whyNot } from './plan.ts';

/** `kept`: the upgrade in whose folder it lies. */
export type GoBackInput = {
	kept: string;
	backupFirst: boolean;
	countdown?: Countdown;
	by: string;
};

/**
 * The server from before an upgrade and the present one change places, as a rollback of that upgrade would have done it;
 * what is put aside is kept in turn.
 */
export const defineGoBack = (deps: Deps): Definition<GoBackInput> => ({
	kind: 'go-back',
	steps: (input) => steps(input, deps),
	rollback: rollback(deps, course(deps))
});

function steps(input: GoBackInput, deps: Deps): StepPlan[] {
	const backup: StepPlan = {
		id: 'backup',
		label: 'Back up what is there now',
		cancellable: true,
		afterCrash: 'resume',
		run: (ctx) => deps.backup(ctx, `Before going back to ${titleOf(keptIn(ctx).aside)}`)
	};
	return [
		{
			id: 'lookup',
			label: 'Check what is kept',
			afterCrash: 'resume',
			run: (ctx) => lookUp(ctx, input, deps),
			undo: (ctx) => release(ctx, deps)
		},
		snapshotStep(deps, input.by, (ctx) => titleOf(keptIn(ctx).aside)),
		...(input.backupFirst ? [backup] : []),
		...countdownStep(deps.server, input.countdown, 'The server goes back to an earlier version.'),
		{
			id: 'swap',
			label: 'Stop the server and exchange game, mods and world',
			afterCrash: 'resume',
			run: (ctx) => exchange(ctx, input, deps)
		},
		{
			id: 'restart',
			label: 'Start the server',
			afterCrash: 'resume',
			async run(ctx) {
				if (!checkpointOf(ctx).wasRunning) ctx.skip('It was not running before.');
				await launch(ctx, deps);
			}
		},
		{
			id: 'verify',
			label: 'Watch whether it comes up healthy',
			afterCrash: 'always',
			async run(ctx) {
				const { wasRunning, crash } = checkpointOf(ctx);
				if (wasRunning) await prove(ctx, deps);
				else {
					await remember(ctx, { settled: true });
					// Why the other game does not run says nothing about this one.
					const reason = `It was off when it went back to ${titleOf(keptIn(ctx).aside)}.`;
					if (!crash) await deps.server.settle({ reason, own: true });
				}
				const kept = await keep(ctx, deps);
				ctx.detail(
					wasRunning
						? `It came up healthy and stayed so. ${kept}`
						: `The server is off, as it was before. ${kept}`
				);
			}
		},
		deps.modpack()
	];
}

/** What the operation began with; its checkpoint has it from the first step on. */
function keptIn(ctx: StepContext): Kept & { id: string } {
	const { kept } = checkpointOf(ctx);
	if (!kept) throw new Error('It is not known what is kept');
	return kept;
}

const placeOf = (ctx: StepContext, { software }: Deps) => software.place(keptIn(ctx).id, PREFIX);

async function lookUp(ctx: StepContext, { kept: id, by }: GoBackInput, deps: Deps) {
	const { root } = deps.software.place(id, PREFIX);
	if (!checkpointOf(ctx).kept) {
		const kept = await readKept(root);
		if (!kept) throw new AppError('conflict', GONE);
		const why = await whyNot(kept, deps);
		if (why) throw new AppError('conflict', why);
		await remember(ctx, { by, kept: { ...kept, id } });
	}
	// Otherwise it could be removed when its time is up.
	await withdrawNote(root);
	const { aside, live } = keptIn(ctx);
	ctx.detail(`${titleOf(aside)} is still kept. It will take the place of ${titleOf(live)}.`);
}

const GONE = 'What was kept is no longer there.';

/** It is kept as before, and can be brought back another time. */
async function release(ctx: StepContext, deps: Deps) {
	const { kept } = checkpointOf(ctx);
	if (kept) await note(placeOf(ctx, deps).root, withoutId(kept));
}

const withoutId = ({ id: _id, ...kept }: Kept & { id: string }): Kept => kept;

async function exchange(ctx: StepContext, { by }: GoBackInput, deps: Deps) {
	const { server, serverDir, snapshots } = deps;
	const kept = keptIn(ctx);
	const place = placeOf(ctx, deps);
	if (!checkpointOf(ctx).exchange) {
		const why = await whyNot(kept, deps);
		if (why) throw new AppError('conflict', why);
		await stopFor(ctx, deps, { by, words: `The server goes back to ${titleOf(kept.aside)}.` });
		const exchange = await onDisk('What is to be exchanged could not be found out', () =>
			exchangeNow(kept, place, deps)
		);
		const exchangedAt = deps.clock.now().toISOString();
		await remember(ctx, { exchange, exchangedAt, known: await readdir(serverDir) });
	}
	await server.ensureStopped();
	await swapsOf(kept, place, deps).swap(checkpointOf(ctx).exchange!);
	await snapshots.putBack(kept.snapshot);
	deps.changed();
	if (!isInstalled(kept.aside, await deps.installation()))
		throw new AppError(
			'conflict',
			`${titleOf(kept.aside)} is in place, but the start command would start something else.`
		);
	// Something else may have started it partway through, and it would have loaded half of each.
	await server.ensureStopped();
	ctx.detail(`${titleOf(kept.aside)} is in place, with its world and its mods.`);
}

/** What was put aside can be brought back in the same way. The server is good by then: a full disk is waited out. */
async function keep(ctx: StepContext, deps: Deps): Promise<string> {
	const { aside, live, holds } = keptIn(ctx);
	const { exchange, exchangedAt, snapshot, known } = checkpointOf(ctx);
	if (!exchange || !exchangedAt || !snapshot || !known) throw new Error('Nothing was exchanged');
	let words = '';
	await retryOnDiskError(ctx, deps, 'What was there before cannot be kept cleanly', async () => {
		words = await keepOriginal(placeOf(ctx, deps), deps.clock, {
			...{ at: exchangedAt, aside: live, live: aside, exchange, snapshot, known },
			holds: holds === 'old' ? 'new' : 'old'
		});
	});
	return words;
}

const course = (deps: Deps): Course => ({
	async finish(ctx) {
		return `Nothing was rolled back: the server had proven itself before this. ${await keep(ctx, deps)}`;
	},
	back: (ctx) => swapsOf(keptIn(ctx), placeOf(ctx, deps), deps).undo(checkpointOf(ctx).exchange!),
	clear: (ctx) =>
		retryOnDiskError(ctx, deps, 'What is kept cannot be noted again', () => release(ctx, deps)),
	where: (ctx) =>
		`Both servers are in the server’s folder and in ${placeOf(ctx, deps).root}, perhaps in parts.`,
	stopped: 'The server from before the upgrade did not work, and the present one is back.',
	halted: 'Going back to an earlier version is rolled back.',
	words({ exchange, ...before }) {
		const now = serverAsBefore(before);
		return exchange
			? `Rolled back: game, mods, settings and world are as they were before. ${now}`
			: `Rolled back: nothing had been exchanged yet. ${now}`;
	}
});

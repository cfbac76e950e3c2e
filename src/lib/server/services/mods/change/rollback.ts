import { AppError } from '#core/errors';
import { maybeDiskError, retryOnDiskError } from '#core/retry-on-disk-error';
import { mayBeEnded, runAgain, wasStopped, type StepContext, type StepPlan } from '#operations';
import type { Tools } from './tools.ts';
import { checkpointOf, remember } from './checkpoint.ts';
import { haltAfterTry, rememberFailure } from './common.ts';
import { digest } from './set.ts';
import { keptIn, rolledBack, stoppedAfter, UNTOUCHED, wasOpened } from './labels.ts';

/** The rollback of every change to the mods: it touches only what was touched, and may be repeated at any point. */
export const rollback = (tools: Tools): StepPlan => ({
	id: 'rollback',
	label: 'Roll the mods back',
	run: (ctx) => rollBack(ctx, tools),
	reached: (memo) => {
		const { restored, swapping } = checkpointOf({ checkpoint: memo });
		return restored && swapping ? RESTORED : null;
	}
});
const RESTORED = 'The old mods are in place again, but the server does not start with them either';

async function rollBack(ctx: StepContext, tools: Tools) {
	const { downloads } = tools;
	await downloads.remove(ctx.id);
	await tools.files
		.tidy()
		.catch((cause) => tools.log.error('mods/ could not be tidied', { cause }));
	const { way, settled, kept, swapping } = checkpointOf(ctx);
	if (settled || kept) return keep(ctx, tools);
	if (!way || !(await isTouched(ctx, tools))) {
		await tools.server.callOff(ctx);
		ctx.skip(UNTOUCHED);
	}
	if (swapping) await putBack(ctx, tools).catch((error) => nameWhatIsLeft(ctx, tools, error));
	else
		await retryOnDiskError(ctx, tools, 'The journal cannot be written', () =>
			remember(ctx, { restored: true })
		);
	if (wasOpened(checkpointOf(ctx)))
		await ctx.report({ worldOpened: { backup: checkpointOf(ctx).backedUp ?? null } });
	const { crash, launching } = checkpointOf(ctx);
	const wasRunning = checkpointOf(ctx).wasRunning === true;
	await runAgain(ctx, tools, {
		...{ wasRunning, crash, launching },
		cannotStart: 'The server cannot be started',
		stopped: stoppedAfter(checkpointOf(ctx)),
		failed: checkpointOf(ctx).failing ?? null
	});
	// The old set has started again if the server ran before; otherwise it is unknown whether it would.
	if (checkpointOf(ctx).failed)
		await rememberFailure(ctx, tools, { onCopy: false, control: wasRunning });
	if (swapping) await tools.rebuild(ctx);
	ctx.detail(rolledBack(checkpointOf(ctx)));
}

/** A server that was told to stop counts as touched; one that could not be told does not. */
async function isTouched(ctx: StepContext, { server }: Tools) {
	return checkpointOf(ctx).swapping || wasStopped(server, checkpointOf(ctx));
}

/** Where even this is impossible, people are told what is there and how to continue by hand. */
async function nameWhatIsLeft(ctx: StepContext, tools: Tools, cause: unknown): Promise<never> {
	if (!(cause instanceof AppError)) throw cause;
	const { kind, code, message } = cause;
	// The program is ending: the next start continues with this.
	if (kind === 'busy') throw cause;
	const { after } = checkpointOf(ctx);
	const set = await tools.current().then(digest, () => null);
	const left =
		set !== null && set === after
			? 'The new set is in place, whole.'
			: 'mods/ may hold files of both sets.';
	const next =
		'Restore the snapshot from before this change (Backups, Snapshots) once the cause is gone.';
	throw new AppError(kind, `${message} ${left} ${next}`, { code, cause });
}

async function putBack(ctx: StepContext, tools: Tools) {
	const { snapshots, current } = tools;
	const { snapshot, restored, way } = checkpointOf(ctx);
	if (restored) return;
	if (!snapshot) throw new Error('Files were touched without a snapshot');
	await retryOnDiskError(ctx, tools, 'The server cannot be ended', () => endServer(ctx, tools));
	ctx.detail('The snapshot is being restored.');
	const once = async () => {
		await snapshots.putBack(snapshot);
		tools.changed();
		if (digest(await current()) !== way!.before)
			throw new AppError(
				'conflict',
				'The snapshot was restored, but mods/ is not what it was before. Look at the folder before you start the server.'
			);
		await remember(ctx, { restored: true });
	};
	await retryOnDiskError(ctx, tools, 'The snapshot cannot be restored', () =>
		once().catch(maybeDiskError)
	);
}

/** The half-started server, or whatever runs here by now: a snapshot is only put back while nothing does. */
async function endServer(ctx: StepContext, { server }: Tools) {
	const run = await server.run();
	const { way, launching, wasRunning } = checkpointOf(ctx);
	if (run && mayBeEnded(run, checkpointOf(ctx))) await server.end(ctx, way!.by);
	else if (run && !launching && wasRunning === undefined) await remember(ctx, { wasRunning: true });
	await server.halt(ctx, way!.by, 'A change of its mods is rolled back.');
}

/** The change itself was done and verified; only what follows it was cut off. */
async function keep(ctx: StepContext, tools: Tools): Promise<never> {
	const { way, launching, wasRunning, crash, kept } = checkpointOf(ctx);
	if (launching && !wasRunning && !crash && !kept && (await tools.server.run()))
		await haltAfterTry(ctx, tools, way!.by);
	await tools.rebuild(ctx);
	return ctx.skip(keptIn(checkpointOf(ctx)));
}

import { AppError } from '#core/errors';
import { maybeDiskError, retryOnDiskError } from '#core/retry-on-disk-error';
import { mayBeEnded, runAgain, wasStopped, type StepContext, type StepPlan } from '#operations';
import { checkpointOf, remember, type Checkpoint } from './checkpoint.ts';
import { discard, workplace } from './exchange.ts';
import { removeMade, topsOf } from './made.ts';
import type { Deps } from './types.ts';

type Undone = (ctx: StepContext) => Promise<void>;

/**
 * Rolls everything back together. May be repeated at any point. `undone` is called at the end, once the journal says
 * that the files are back: a process that resumed the operation instead would miss what `undone` removes.
 */
export const rollback = (deps: Deps, undone: Undone = async () => {}): StepPlan => ({
	id: 'rollback',
	label: 'Put back what was there before',
	run: (ctx) => rollBack(ctx, deps, undone)
});

async function rollBack(ctx: StepContext, deps: Deps, undone: Undone) {
	const { server, serverDir } = deps;
	const place = workplace(serverDir, ctx.id);
	const { settled, exchange, wasRunning, crash, launching, before } = checkpointOf(ctx);
	if (settled) {
		await discard(place);
		await undone(ctx);
		return ctx.skip('The server already runs with it; only the steps after that were interrupted.');
	}
	if (exchange) await putBack(ctx, deps);
	else if (await wasStopped(server, checkpointOf(ctx))) {
		// The prepared files are not needed any more, and removing them frees space for the next steps.
		await discard(place);
		await retryOnDiskError(ctx, deps, 'The journal cannot be written', () =>
			remember(ctx, { restored: true })
		);
	} else {
		await server.callOff(ctx);
		await discard(place);
		await undone(ctx);
		return ctx.skip('Nothing had been changed.');
	}
	// Only now that the previous files are back in place.
	await discard(place);
	await undone(ctx);
	await runAgain(ctx, deps, {
		...{ wasRunning, crash, launching },
		cannotStart: 'Everything is as it was, but the server cannot be started',
		stopped: 'Its new software did not work and was rolled back.'
	});
	ctx.detail(before ? 'The folder is empty again.' : 'The previous files are back.');
}

async function putBack(ctx: StepContext, deps: Deps) {
	const { server, serverDir, changed } = deps;
	const { exchange, before, known, restored } = checkpointOf(ctx);
	if (restored) return;
	const place = workplace(serverDir, ctx.id);
	await retryOnDiskError(ctx, deps, 'The journal cannot be written', () =>
		remember(ctx, { returning: true })
	);
	await retryOnDiskError(ctx, deps, 'The server cannot be ended', () => endServer(ctx, deps));
	const once = async () => {
		if (!before) await server.ensureStopped();
		await place.back(exchange!);
		if (before) await empty(before, checkpointOf(ctx), deps);
		else if (known) await removeMade(deps, { known });
		changed();
		await remember(ctx, { restored: true });
	};
	await retryOnDiskError(ctx, deps, 'The previous files cannot be restored', () =>
		once().catch(maybeDiskError)
	).catch((cause) => nameWhatIsLeft(cause, place.old));
}

/** Leaves the folder as it was for a new attempt; what somebody put into it meanwhile stays. */
function empty(before: string[], { exchange, known = [], launching }: Checkpoint, deps: Deps) {
	const put = topsOf(exchange!);
	const others = known.filter((name) => !put.has(name));
	return removeMade(deps, {
		known: [...before, ...others],
		// Before its first start a server has made no other files.
		...(launching ? {} : { only: put }),
		caches: false
	});
}

/** If even the rollback is impossible, people are told where the previous files are. */
function nameWhatIsLeft(cause: unknown, old: string): never {
	// The program is ending: the next start continues with this.
	if (!(cause instanceof AppError) || cause.kind === 'busy') throw cause;
	const { kind, code, message } = cause;
	throw new AppError(
		kind,
		`${message} The previous files are in ${old}, or already back in their place. Check the folder before you start the server.`,
		{ code, cause }
	);
}

async function endServer(ctx: StepContext, { server }: Deps) {
	const { before, by = 'dashboard' } = checkpointOf(ctx);
	const run = await server.run();
	if (run && mayBeEnded(run, checkpointOf(ctx))) await server.end(ctx, by);
	// If no server existed before, whatever answers at its address is somebody else's.
	if (before && !(await server.run())) return;
	await server.halt(ctx, by, 'A change of its software is being rolled back.');
}

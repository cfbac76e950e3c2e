import { AppError } from '#core/errors';
import { maybeDiskError, retryOnDiskError } from '#core/retry-on-disk-error';
import { mayBeEnded, runAgain, wasStopped, type StepContext, type StepPlan } from '#operations';
import { checkpointOf, remember, type Checkpoint } from './checkpoint.ts';
import { finish } from './finish.ts';
import { discard, PREFIX } from './original.ts';
import type { Deps } from './types.ts';

/** Takes everything back together: world, mods, loader, Java, start command and settings. May be repeated at any point. */
export const rollback = (deps: Deps): StepPlan => ({
	id: 'rollback',
	label: 'Put everything back',
	run: (ctx) => rollBack(ctx, deps)
});

async function rollBack(ctx: StepContext, deps: Deps) {
	const { server, mods, software } = deps;
	const place = software.place(ctx.id, PREFIX);
	const { settled, exchange, wasRunning } = checkpointOf(ctx);
	if (settled) {
		const kept = await finish(ctx, deps);
		return ctx.skip(`Nothing was taken back: the new game had proven itself before this. ${kept}`);
	}
	await mods.discard(ctx.id);
	const touched = exchange !== undefined;
	if (!touched && !(await wasStopped(server, checkpointOf(ctx)))) {
		await server.callOff(ctx);
		await discard(place, deps);
		return ctx.skip('Nothing was changed.');
	}
	if (touched) await putBack(ctx, deps);
	else {
		// The prepared files are not needed any more, and removing them frees space for the next steps.
		await discard(place, deps);
		await retryOnDiskError(ctx, deps, 'The journal cannot be written', () =>
			remember(ctx, { restored: true })
		);
	}
	// Only now that the previous files are back in place.
	await discard(place, deps);
	await runAgain(ctx, deps, {
		wasRunning,
		cannotStart: 'Everything is as it was, but the server cannot be started',
		stopped: 'Its new game did not work and was rolled back.'
	});
	ctx.detail(words(checkpointOf(ctx)));
}

async function putBack(ctx: StepContext, deps: Deps) {
	const { snapshots, software, server, changed } = deps;
	const { exchange, snapshot, known, restored } = checkpointOf(ctx);
	if (restored) return;
	if (!snapshot) throw new Error('Files were touched without a snapshot');
	const place = software.place(ctx.id, PREFIX);
	await retryOnDiskError(ctx, deps, 'The journal cannot be written', () =>
		remember(ctx, { returning: true })
	);
	await retryOnDiskError(ctx, deps, 'The server cannot be ended', () => endServer(ctx, deps));
	ctx.detail('World, mods, loader and settings are being put back.');
	const once = async () => {
		await server.ensureStopped();
		await place.back(exchange!);
		// The mods' configuration, which the new ones may have rewritten.
		await snapshots.putBack(snapshot);
		// Other dimensions, settings: the old game would take them for its own.
		if (known) await software.removeMade(known);
		changed();
		await remember(ctx, { restored: true });
	};
	await retryOnDiskError(ctx, deps, 'The previous files cannot be put back', () =>
		once().catch(maybeDiskError)
	).catch((cause) => nameWhatIsLeft(cause, place.root));
}

/** If even the rollback is impossible, people are told where the original is. */
function nameWhatIsLeft(cause: unknown, root: string): never {
	// The program is ending: the next start continues with this.
	if (!(cause instanceof AppError) || cause.kind === 'busy') throw cause;
	const { kind, code, message } = cause;
	throw new AppError(
		kind,
		`${message} The untouched world of before lies in ${root}/old, or is back in its place already. Do not start the server before you have looked.`,
		{ code, cause }
	);
}

async function endServer(ctx: StepContext, { server }: Deps) {
	const { by = 'dashboard' } = checkpointOf(ctx);
	const run = await server.run();
	if (run && mayBeEnded(run, checkpointOf(ctx))) await server.end(ctx, by);
	await server.halt(ctx, by, 'An upgrade of the game is taken back.');
}

function words({ exchange, launching, opened, ready, wasRunning }: Checkpoint) {
	const now = wasRunning ? 'The server runs as before.' : 'The server is off, as it was before.';
	if (!exchange) return `Rolled back: nothing had been exchanged yet. ${now}`;
	const world = !launching
		? 'The new game never saw the world.'
		: opened || ready
			? 'The new game had opened a copy of the world: the untouched original is back.'
			: 'The untouched world is back.';
	return `Rolled back: game, loader, mods, settings and world are as they were before. ${world} ${now}`;
}

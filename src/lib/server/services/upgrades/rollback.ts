import { AppError } from '#core/errors';
import { maybeDiskError, retryOnDiskError } from '#core/retry-on-disk-error';
import {
	downAsBefore,
	mayBeEnded,
	runAgain,
	wasStopped,
	type StepContext,
	type StepPlan
} from '#operations';
import { checkpointOf, remember, type Checkpoint } from './checkpoint.ts';
import { finish } from './finish.ts';
import { discard, PREFIX } from './original.ts';
import type { Deps } from './types.ts';

/** How one of the operations that exchange the whole server is taken back. Each of these may be repeated. */
export type Course = {
	/** It had proven itself before this: in a sentence, what became of the rest. */
	finish(ctx: StepContext): Promise<string>;
	/** Removes what is needed no more at all, which gives a full disk some room. */
	free?(ctx: StepContext): Promise<unknown>;
	/** Moves everything to where it was. */
	back(ctx: StepContext): Promise<void>;
	/** Nothing that lies beside the server's folder is needed by the operation any more. */
	clear(ctx: StepContext): Promise<void>;
	/** Where, if all else fails, a person finds what was there before, in a sentence. */
	where(ctx: StepContext): string;
	/** Why the server stays stopped, and what the players are told. */
	stopped: string;
	halted: string;
	/** What became of it, in a sentence or two. */
	words(checkpoint: Checkpoint): string;
};

/** Takes everything back together: world, mods, loader, Java, start command and settings. May be repeated at any point. */
export const rollback = (deps: Deps, course: Course = upgradeCourse(deps)): StepPlan => ({
	id: 'rollback',
	label: 'Roll everything back',
	run: (ctx) => rollBack(ctx, deps, course)
});

function upgradeCourse(deps: Deps): Course {
	const { software, mods } = deps;
	const place = (ctx: StepContext) => software.place(ctx.id, PREFIX);
	return {
		async finish(ctx) {
			const kept = await finish(ctx, deps);
			return `Nothing was rolled back: the new game had proven itself before this. ${kept}`;
		},
		free: (ctx) => mods.discard(ctx.id),
		back: (ctx) => place(ctx).back(checkpointOf(ctx).exchange!),
		clear: (ctx) => discard(place(ctx), deps),
		where: (ctx) =>
			`The untouched original world is in ${place(ctx).root}/old, or is already back in its place.`,
		stopped: 'Its new game did not work and was rolled back.',
		halted: 'An upgrade of the game is rolled back.',
		words
	};
}

async function rollBack(ctx: StepContext, deps: Deps, course: Course) {
	const { server } = deps;
	const { settled, exchange, wasRunning, crash, launching } = checkpointOf(ctx);
	if (settled) return ctx.skip(await course.finish(ctx));
	await course.free?.(ctx);
	const touched = exchange !== undefined;
	if (!touched && !(await wasStopped(server, checkpointOf(ctx)))) {
		await server.callOff(ctx);
		await course.clear(ctx);
		return ctx.skip('Nothing was changed.');
	}
	if (touched) await putBack(ctx, deps, course);
	else {
		// The prepared files are not needed any more, and removing them frees space for the next steps.
		await course.clear(ctx);
		await retryOnDiskError(ctx, deps, 'The journal cannot be written', () =>
			remember(ctx, { restored: true })
		);
	}
	// Only now that the previous files are back in place.
	await course.clear(ctx);
	await runAgain(ctx, deps, {
		...{ wasRunning, crash, launching },
		cannotStart: 'Everything is as it was, but the server cannot be started',
		stopped: course.stopped
	});
	ctx.detail(course.words(checkpointOf(ctx)));
}

async function putBack(ctx: StepContext, deps: Deps, course: Course) {
	const { snapshots, software, server, changed } = deps;
	const { snapshot, known, restored } = checkpointOf(ctx);
	if (restored) return;
	if (!snapshot) throw new Error('Files were touched without a snapshot');
	await retryOnDiskError(ctx, deps, 'The journal cannot be written', () =>
		remember(ctx, { returning: true })
	);
	await retryOnDiskError(ctx, deps, 'The server cannot be ended', () =>
		endServer(ctx, deps, course)
	);
	ctx.detail('World, mods, loader and settings are being restored.');
	const once = async () => {
		await server.ensureStopped();
		await course.back(ctx);
		// The mods' configuration, which the new ones may have rewritten.
		await snapshots.putBack(snapshot);
		// Other dimensions, settings: the old game would take them for its own.
		if (known) await software.removeMade(known);
		changed();
		await remember(ctx, { restored: true });
	};
	await retryOnDiskError(ctx, deps, 'The previous files cannot be restored', () =>
		once().catch(maybeDiskError)
	).catch((cause) => nameWhatIsLeft(cause, course.where(ctx)));
}

/** If even the rollback is impossible, people are told where the original is. */
function nameWhatIsLeft(cause: unknown, where: string): never {
	// The program is ending: the next start continues with this.
	if (!(cause instanceof AppError) || cause.kind === 'busy') throw cause;
	const { kind, code, message } = cause;
	throw new AppError(kind, `${message} ${where} Do not start the server before you have looked.`, {
		code,
		cause
	});
}

async function endServer(ctx: StepContext, { server }: Deps, { halted }: Course) {
	const { by = 'dashboard' } = checkpointOf(ctx);
	const run = await server.run();
	if (run && mayBeEnded(run, checkpointOf(ctx))) await server.end(ctx, by);
	await server.halt(ctx, by, halted);
}

/** How the server is left when nothing came of it. */
export const serverAsBefore = (before: Pick<Checkpoint, 'wasRunning' | 'crash'>) =>
	before.wasRunning ? 'The server runs as before.' : downAsBefore(before);

function words({ exchange, launching, opened, ready, ...before }: Checkpoint) {
	const now = serverAsBefore(before);
	if (!exchange) return `Rolled back: nothing had been exchanged yet. ${now}`;
	const world = !launching
		? 'The new game never saw the world.'
		: opened || ready
			? 'The new game had opened a copy of the world: the untouched original is back.'
			: 'The untouched world is back.';
	return `Rolled back: game, loader, mods, settings and world are as they were before. ${world} ${now}`;
}

import { NOT_TRIED, STAYED_UP, UP_AFTER_CRASH } from '#schemas/plain/limits';
import { AppError } from '#core/errors';
import {
	asItWas,
	countdownStep,
	isToRunAgain,
	sayIfDown,
	offAgain,
	OperationFailure,
	type Countdown,
	type StepContext,
	type StepPlan
} from '#operations';
import { failingNow, isOutside, orKeep, wasEnded, type Changed } from './kept/index.ts';
import type { Tools } from './tools.ts';
import type { Failed, ModChange } from './types.ts';
import { checkpointOf, remember, type RollbackInfo } from './checkpoint.ts';
import { digest } from './set.ts';

/** No server loads a disabled jar, nor, where the plan says so by `restart`, one for clients only: such may come and go while it runs. */
export const needsServer = ({ put, take, rename, restart }: ModChange) =>
	restart ||
	[...put, ...take].some(({ fileName, side }) => side !== 'client' && !isDisabled(fileName)) ||
	rename.some(({ side }) => side !== 'client');

const isDisabled = (fileName: string) => fileName.endsWith('.disabled');

/** Saves what the rollback will need before anything is touched, and removes what dead operations left. */
export async function begin(ctx: StepContext, { downloads }: Tools, way: RollbackInfo) {
	await remember(ctx, { way });
	await downloads.sweep(ctx.id);
}

type Touch = {
	/** While everything is as it was, and the server runs. */
	prepare(): Promise<void>;
	/** Once it has ended. Repeated after a crash partway through. */
	touch(): Promise<void>;
};
type How = {
	by: string;
	serverNeeded: boolean;
	filesOnly?: boolean;
	/** Null for a snapshot that is put back. */
	change: Changed | null;
};

/** For the players. */
const CHANGING = 'Its mods are being changed.';

/** The steps that a change and the restore of a snapshot have in common. */
export function shared(tools: Tools, how: How) {
	return {
		snapshot: (reason: ModChange['kind'] | 'restore', subject: string): StepPlan => ({
			id: 'snapshot',
			label: 'Take a snapshot',
			afterCrash: 'resume',
			async run(ctx) {
				const { snapshot } = checkpointOf(ctx);
				if (snapshot) return;
				const { id } = await tools.snapshots.take({
					...{ reason, operationId: ctx.id, by: how.by },
					...(subject && { subject })
				});
				await remember(ctx, { snapshot: id });
			},
			async undo(ctx) {
				const { snapshot } = checkpointOf(ctx);
				if (snapshot) await tools.snapshots.drop(snapshot);
			}
		}),
		countdown: (countdown: Countdown | null | undefined) =>
			countdownStep(tools.server, how.serverNeeded ? countdown : null, CHANGING),
		swap: (touchOf: (ctx: StepContext) => Touch): StepPlan => ({
			id: 'swap',
			exclusive: true,
			label:
				how.serverNeeded && !how.filesOnly ? 'Stop the server and exchange the files' : EXCHANGE,
			afterCrash: 'resume',
			run: (ctx) => swap(ctx, tools, how, touchOf(ctx))
		}),
		restart: (): StepPlan => ({
			id: 'restart',
			exclusive: true,
			label: 'Start the server',
			afterCrash: 'resume',
			run: (ctx) => restart(ctx, tools, how)
		}),
		verify: (): StepPlan => ({
			id: 'verify',
			exclusive: true,
			label: 'Watch whether it comes up healthy',
			afterCrash: 'always',
			run: (ctx) => verify(ctx, tools, how)
		})
	};
}

const EXCHANGE = 'Exchange the files';

async function swap(ctx: StepContext, tools: Tools, how: How, { prepare, touch }: Touch) {
	const { server } = tools;
	if (!checkpointOf(ctx).swapping) {
		const stops = how.serverNeeded && !how.filesOnly;
		if (stops) await server.ensureStartable();
		await prepare();
		if (stops) await stopFor(ctx, tools, how.by);
		await remember(ctx, { swapping: true });
	}
	if (how.serverNeeded) await server.ensureStopped();
	await touch();
	// Something outside may have started it partway through: it has then loaded half of each set.
	if (how.serverNeeded) await server.ensureStopped();
	await remember(ctx, { after: digest(await tools.current()) });
}

async function stopFor(ctx: StepContext, { server, operations }: Tools, by: string) {
	const { wasRunning } = checkpointOf(ctx);
	if (wasRunning === undefined) {
		const seen = await server.observe();
		await remember(ctx, { ...asItWas(seen), failing: await failingNow(seen, operations) });
		sayIfDown(ctx, seen, EXCHANGE);
	}
	await server.halt(ctx, by, CHANGING);
}

/** A process whose journal could not be written may have taken back what this one still believes in. */
async function ensureInPlace(ctx: StepContext, { current }: Tools) {
	const { after, settled } = checkpointOf(ctx);
	if (settled || after === undefined || digest(await current()) === after) return;
	throw new AppError('conflict', 'mods/ is no longer what was put there.');
}

const FILES_ONLY = 'Only the files were changed, as requested.';
const NOT_NEEDED = 'The server does not load these files: it was left alone.';

async function restart(ctx: StepContext, tools: Tools, { serverNeeded, ...how }: How) {
	const { server } = tools;
	await ensureInPlace(ctx, tools);
	if (!serverNeeded) ctx.skip(NOT_NEEDED);
	if (how.filesOnly) ctx.skip(FILES_ONLY);
	await remember(ctx, { launching: true, kept: null });
	await server.launch(ctx).catch((error) => orKeep(ctx, tools, { ...how, error, step: 'restart' }));
}

async function verify(ctx: StepContext, tools: Tools, { serverNeeded, ...how }: How) {
	const { server } = tools;
	await ensureInPlace(ctx, tools);
	if (!serverNeeded || how.filesOnly) {
		await remember(ctx, { settled: true, ...(serverNeeded && { untried: true }) });
		ctx.skip(serverNeeded ? NOT_TRIED : NOT_NEEDED);
	}
	if (checkpointOf(ctx).kept === 'restart') ctx.skip('It could not be started.');
	const { settled, wasRunning, crash } = checkpointOf(ctx);
	// A process whose journal could not be written may have ended it, to take back what this one still believes in.
	const ended = settled && wasRunning && !isToRunAgain(await server.observe());
	if (ended) await server.launch(ctx);
	if (!settled || ended) {
		try {
			await server.verify(ctx, (sign) => remember(ctx, { [sign]: true }));
		} catch (error) {
			await orKeep(ctx, tools, { ...how, error, step: 'verify' }).catch(async (thrown) => {
				if (thrown === error && (await isOfTheMods(ctx, tools, error)))
					await remember(ctx, { failed: true });
				throw thrown;
			});
		}
		await remember(ctx, { settled: true });
	}
	if (wasRunning) return ctx.detail(STAYED_UP);
	if (crash) return ctx.detail(UP_AFTER_CRASH);
	await haltAfterTry(ctx, tools, how.by);
	ctx.detail('It came up healthy. It was stopped before, and is stopped again.');
}

export const haltAfterTry = (ctx: StepContext, tools: Tools, by: string) =>
	offAgain(ctx, tools, {
		by,
		words: 'It was only started to try its mods.',
		reason: 'It was only started to try a change of its mods, and is off again as it was before.'
	});

/** Not when somebody ended it meanwhile, or when it could not have started with any mods. */
async function isOfTheMods({ signal }: StepContext, { server }: Tools, error: unknown) {
	if (signal.aborted || !(error instanceof OperationFailure)) return false;
	const seen = await server.observe();
	return !wasEnded(seen) && !(seen.diagnosis && isOutside(seen.diagnosis));
}

/** Records the versions that the change brought as failed. */
export async function rememberFailure(
	ctx: StepContext,
	{ failed, log }: Tools,
	how: Pick<Failed, 'onCopy' | 'control'>
) {
	const { way, ready } = checkpointOf(ctx);
	const { brings = [], alone = false } = way ?? {};
	if (!brings.length) return;
	const seen = { ...how, ...(ready && { ready }) };
	await failed({ operationId: ctx.id, sha512s: brings, alone, ...seen }).catch((cause) =>
		log.error('A version that failed could not be remembered', { cause })
	);
}

/** Refuses, with a sentence provided by the caller. */
export function refuse(problem: string | null) {
	if (problem) throw new AppError('conflict', problem);
}

/** Only the files are to be changed: under a running server that could not be done. */
export async function refuseWhileRunning(server: Pick<Tools['server'], 'run'>) {
	if (await server.run())
		throw new AppError(
			'conflict',
			'The server runs, and the files of a running server are not changed. Stop it first, or let the change stop, start and watch it.'
		);
}

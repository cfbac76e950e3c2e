import { listed } from '#schemas/plain/words/listed';
import { AppError } from '#core/errors';
import type { StepContext, StepPlan } from '#operations';
import { remember } from './checkpoint.ts';
import { begin, needsServer, refuse, refuseWhileRunning, shared } from './common.ts';
import type { Tools } from './tools.ts';
import type { ModChange } from './types.ts';
import { isTried, refuseWhatLacks, trialStep } from './trial.ts';
import { afterwards, differs, digest, planChanged } from './set.ts';
import { rollbackInfo } from './labels.ts';

/** Of what is changed, in the name of its snapshot. */
const TITLES_MAX = 2;

type Input = ModChange & { by: string };

/** Each step checks the present state before doing anything, so that it can continue where a crash cut it off. */
export function changeSteps(change: Input, tools: Tools): StepPlan[] {
	const { backup, downloads } = tools;
	const serverNeeded = needsServer(change);
	const { by, filesOnly = false } = change;
	const steps = shared(tools, { by, serverNeeded, filesOnly, change });
	return [
		{
			id: 'lookup',
			label: 'Check the plan',
			cancellable: true,
			afterCrash: 'resume',
			run: (ctx) => lookUp(ctx, change, tools),
			async undo() {
				await downloads.dropStaged(change.put);
			}
		},
		steps.snapshot(change.kind, listed(change.titles, TITLES_MAX)),
		{
			id: 'download',
			label: 'Download and check',
			cancellable: true,
			afterCrash: 'resume',
			run: (ctx) => download(ctx, change, tools),
			async undo(ctx) {
				await downloads.remove(ctx.id);
			}
		},
		...(isTried(change) ? [trialStep(change, tools)] : []),
		...(change.backupFirst ? [backUp(backup)] : []),
		...steps.countdown(change.countdown),
		steps.swap((ctx) => swap(change, tools, ctx)),
		steps.restart(),
		steps.verify(),
		tools.modpack()
	];
}

async function lookUp(ctx: StepContext, change: Input, tools: Tools) {
	const { files, downloads } = tools;
	await begin(ctx, tools, rollbackInfo(change, digest(change.before)));
	if (change.changes) await ctx.report({ changes: change.changes });
	try {
		const difference = differs(change.before, await tools.current());
		if (difference) throw planChanged(difference);
		refuse(await tools.untouchable());
		refuse(await files.refusal(toSwap(change, () => '')));
		if (change.filesOnly) await refuseWhileRunning(tools.server);
		else if (needsServer(change)) await tools.server.ensureStartable();
		ctx.signal.throwIfAborted();
		await offered(ctx, change, tools);
	} catch (error) {
		if (!isClosing(ctx)) await downloads.dropStaged(change.put);
		throw error;
	}
	ctx.detail('mods/ has not changed since the plan was made.');
}

/** Withdrawn, or uploaded again under the same name: never accepted silently. */
async function offered(ctx: StepContext, { put }: Input, { withdrawn }: Tools) {
	const files = put.flatMap(({ file }) => file ?? []);
	if (files.length === 0) return;
	const gone = await withdrawn(files, ctx.signal);
	const [first] = put.filter(
		({ file }) => file && gone.some(({ sha512 }) => sha512 === file.sha512)
	);
	if (first)
		throw new AppError(
			'conflict',
			`The registry no longer offers ${first.title} as it was when this was planned (${first.fileName}). Look at the plan again.`,
			{ code: 'plan-changed' }
		);
}

const backUp = (backup: Tools['backup']): StepPlan => ({
	id: 'backup',
	exclusive: true,
	label: 'Back up the world',
	cancellable: true,
	afterCrash: 'resume',
	async run(ctx) {
		if (!backup) return ctx.skip('Backups cannot be made here yet.');
		const backedUp = await backup(ctx).catch((error) => {
			if (!(error instanceof AppError) || error.code !== 'no-world') throw error;
			return ctx.skip('There is no world yet, so there is nothing to back up.');
		});
		await remember(ctx, { backedUp });
	}
});

async function download(ctx: StepContext, change: Input, tools: Tools) {
	const { put } = change;
	const { downloads } = tools;
	if (put.length === 0) ctx.skip('There is nothing to download.');
	try {
		await downloads.fetch(ctx, put);
		const fileOf = (index: number) => downloads.fileOf(ctx.id, index);
		// First what says most: that a mod is there already, perhaps locked.
		refuse(await tools.duplicate(change, fileOf));
		await refuseWhatLacks(change, tools, fileOf);
	} catch (error) {
		if (!isClosing(ctx)) {
			await downloads.remove(ctx.id);
			await downloads.dropStaged(put);
		}
		throw error;
	}
}

/** The next process continues where this one ends, so existing files stay. */
const isClosing = ({ signal }: StepContext) =>
	signal.aborted && signal.reason instanceof AppError && signal.reason.kind === 'busy';

const toSwap = ({ put, take, rename }: Input, fromOf: (index: number) => string) => ({
	put: put.map(({ fileName, sha512 }, i) => ({ fileName, sha512, from: fromOf(i) })),
	take,
	rename
});

function swap(change: Input, tools: Tools, ctx: StepContext) {
	const { files, downloads } = tools;
	const fileOf = (index: number) => downloads.fileOf(ctx.id, index);
	const what = toSwap(change, fileOf);
	return {
		/** The last check before anything is touched: the download may have taken long. */
		async prepare() {
			const difference = differs(change.before, await tools.current());
			if (difference) throw planChanged(difference);
			if (change.filesOnly) await refuseWhileRunning(tools.server);
			refuse(await tools.untouchable());
			refuse(await files.refusal(what));
			refuse(await tools.duplicate(change, fileOf));
			await files.prepare(what);
		},
		async touch() {
			await files.prepare(what);
			await files.exchange(what);
			tools.changed();
			const difference = differs(afterwards(change), await tools.current());
			if (difference)
				throw new AppError('conflict', `mods/ is not as planned afterwards: ${difference}.`);
			await downloads.remove(ctx.id);
			const { put, take, rename } = change;
			const parts = [
				put.length > 0 && `${put.length} added`,
				take.length > 0 && `${take.length} taken out`,
				rename.length > 0 && `${rename.length} renamed`
			];
			ctx.detail(`Files in mods/: ${parts.filter(Boolean).join(', ')}.`);
		}
	};
}

import type { FileHandle } from 'node:fs/promises';
import {
	type ModRemove,
	type ModUpdate,
	type PlanRequest,
	MODS_PER_REQUEST_MAX
} from '#schemas/mod';
import type { Operation } from '#schemas/operation';
import type { Actor } from '#core/actor';
import { AppError } from '#core/errors';
import type { Clock } from '#core/clock';
import type { PlanCache } from '#core/plan-cache';
import type { JarFacts } from '#minecraft/mods';
import { countdownOf } from '#operations';
import type { ModChanges } from './change/index.ts';
import {
	type Install,
	installRequest,
	ofPlan,
	refuseImpossible,
	refuseWhile,
	removeRequest
} from './request.ts';
import type { RegistryFacts } from './facts.ts';
import type { Known } from './known.ts';
import {
	locked,
	planChanged,
	planUpload,
	type makePlan,
	type Planned,
	type Rules
} from './plan/index.ts';
import { isLeftOut } from './failures/index.ts';
import type { Updates } from './updates.ts';
import { discard, receive, type Upload } from './upload.ts';

export type ExecutionDeps = {
	plan: (wish: Parameters<typeof makePlan>[1]) => Promise<Planned>;
	plans: PlanCache<PlanRequest>;
	read: () => Promise<Known>;
	/** What is needed to plan this. AppError `upstream`. */
	readFor: (request: PlanRequest) => Promise<Known>;
	newest: Updates['newest'];
	/** What is brought comes from the registry. */
	learn: RegistryFacts['learn'];
	changes: Pick<ModChanges, 'run'>;
	/** What is running, in any process. */
	running: () => Parameters<typeof refuseWhile>[0];
	satisfies: Rules['satisfies'];
	readJar: (handle: FileHandle) => Promise<JarFacts>;
	/** `DATA_DIR/uploads`. */
	uploadDir: string;
	clock: Clock;
};

/** At the same time: each lies on the disk until it is known what it is. */
const UPLOADS_MAX = 4;

/** Files to enable or to disable together. */
export type Switch = {
	fileNames: string[];
	enabled: boolean;
} & Agreed;

/** What a person agreed to, or wished, beside the change itself. */
export type Agreed = {
	/** Exactly that plan. */
	planId?: string | undefined;
	backupFirst?: boolean | undefined;
	skipTrial?: boolean | undefined;
	/** The server, which is down, is not started to try it. */
	filesOnly?: boolean | undefined;
	/** How long players are warned before their server is stopped, and with which words. */
	delaySeconds?: number | undefined;
	message?: string | undefined;
};

type Wish = Agreed & { by: Actor };

/** From a person's request to the operation that carries it out. */
export function createExecution(deps: ExecutionDeps) {
	const { plans, read, readFor, changes } = deps;
	const closing = new AbortController();
	const maySee = (by: Actor) => by.role === 'superadmin';

	/** The request that a plan shown earlier was made for. */
	function seen(planId: string): PlanRequest {
		const request = plans.find(planId);
		if (!request) throw planChanged('This plan is no longer known.');
		return request;
	}

	async function execute(
		request: PlanRequest | (() => Promise<PlanRequest>),
		shown: (kept: PlanRequest) => PlanRequest,
		{ by, ...how }: Wish
	): Promise<Operation> {
		const { planId } = how;
		refuseWhile(deps.running());
		const asked = planId ? shown(seen(planId)) : null;
		const wanted = asked ?? (typeof request === 'function' ? await request() : request);
		const known = await readFor(wanted);
		refuseLocked(known, wanted, by);
		const planned = await deps.plan({
			...{ request: wanted, known },
			mayTouchLocked: maySee(by),
			changelogs: false
		});
		if (planId && planned.plan.id !== planId)
			throw planChanged('The mods, or the registry, are not what they were for this plan.');
		return run(planned, { ...how, by });
	}

	async function run(planned: Planned, { by, ...how }: Wish) {
		const { planId, backupFirst, skipTrial, filesOnly } = how;
		const countdown = countdownOf(how);
		refuseImpossible(planned);
		const [held] = planned.locked;
		if (held && !maySee(by)) throw locked(held, 'changed');
		await deps.learn(planned.brings);
		return changes.run(
			{
				...planned.change,
				planId: planId ?? null,
				backupFirst: backupFirst ?? planned.change.backupFirst,
				...(skipTrial && { skipTrial: true }),
				...(filesOnly && { filesOnly: true }),
				...(countdown && { countdown })
			},
			by
		);
	}

	/** A request that names a locked mod is refused; in a plan for many it is left alone. */
	function refuseLocked({ mods }: Known, { update = [] }: PlanRequest, by: Actor) {
		if (maySee(by) || update.length !== 1) return;
		const mod = mods.find(({ fileName }) => fileName === update[0]);
		if (mod?.locked) throw locked({ title: mod.name }, 'updated');
	}

	/** Every mod that has an update and no lock; what is known not to start here is left out until a newer one comes. */
	async function everything(): Promise<PlanRequest> {
		const { files, mods, server, failure } = await read();
		const open = new Set(mods.filter((mod) => !mod.locked).map(({ fileName }) => fileName));
		const newest = await deps.newest(files, server);
		const update = files
			.filter(({ fileName, sha512 }) => {
				const version = open.has(fileName) && sha512 ? newest.get(sha512) : null;
				const failed = version && failure(version.file?.sha512 ?? null);
				return version && !(failed && isLeftOut(failed));
			})
			.map(({ fileName }) => fileName);
		return { update: update.slice(0, MODS_PER_REQUEST_MAX) };
	}

	let uploads = 0;
	async function upload(file: Upload, by: Actor): Promise<Operation> {
		refuseWhile(deps.running());
		if (uploads >= UPLOADS_MAX) throw tooManyUploads();
		uploads++;
		try {
			return await uploadNow(file, by);
		} finally {
			uploads--;
		}
	}

	async function uploadNow(file: Upload, by: Actor): Promise<Operation> {
		const staging = { dir: deps.uploadDir, readJar: deps.readJar, clock: deps.clock };
		const staged = await receive(file, staging, closing.signal);
		try {
			const { satisfies } = deps;
			const known = await read();
			const planned = planUpload(staged, { known, mayTouchLocked: maySee(by), satisfies });
			return await run(planned, { by });
		} catch (error) {
			await discard(staged.path);
			throw error;
		}
	}

	return {
		execute,
		upload,
		install(wishes: Install[], agreed: Agreed, by: Actor) {
			const request = installRequest(wishes);
			return execute(request, (kept) => ofPlan(kept, request), { ...agreedIn(agreed), by });
		},
		update({ fileNames, ...input }: ModUpdate, by: Actor) {
			const request = fileNames ? { update: fileNames } : null;
			const shown = (kept: PlanRequest) => ofPlan(kept, request ?? { all: true });
			return execute(request ?? everything, shown, { ...agreedIn(input), by });
		},
		remove(input: ModRemove, by: Actor) {
			const request = removeRequest(input);
			return execute(request, (kept) => ofPlan(kept, request), { ...agreedIn(input), by });
		},
		switchFiles({ fileNames, enabled, ...input }: Switch, by: Actor) {
			const request = enabled ? { enable: fileNames } : { disable: fileNames };
			return execute(request, (kept) => ofPlan(kept, request), { ...agreedIn(input), by });
		},
		close: () => closing.abort()
	};
}

const tooManyUploads = () =>
	new AppError('throttled', 'Other mods are being uploaded. Wait until one of them has arrived.', {
		retryAfterS: 10
	});

/** The rest of what was asked, or agreed to, is no concern of the operation. */
export const agreedIn = ({
	planId,
	backupFirst,
	skipTrial,
	filesOnly,
	delaySeconds,
	message
}: Agreed): Agreed => ({ planId, backupFirst, skipTrial, filesOnly, delaySeconds, message });

import type { StepPlan } from '#operations';
import type { SoftwarePlan } from '#schemas/software/software';
import { workplace, type Workplace } from './exchange.ts';
import { oldOf, titleOf } from './layout.ts';
import { gather as describe, startedBy } from './plan.ts';
import { removeMade } from './made.ts';
import { gather, rewriteScripts, startedAfter } from './steps.ts';
import type { BuildChange, ChangeInput, Deps } from './types.ts';

/** How new software is brought, for an operation that exchanges more than that. */
export interface SoftwareParts {
	/** What it takes, for people. */
	describe(what: BuildChange): Promise<Omit<SoftwarePlan, 'id' | 'subject'> & { bare: boolean }>;
	/** `Fabric 0.18.0 for Minecraft 1.21.1`. */
	title(what: Pick<BuildChange, 'loader' | 'gameVersion' | 'build'>): string;
	/** The folder of one operation, where the new server is laid out. */
	place(operation: string, prefix: string): Workplace;
	/** Java, the download, and laying it out. */
	steps(what: ChangeInput, prefix: string): [java: StepPlan, download: StepPlan, install: StepPlan];
	/** What is started now: a jar, or a file of arguments; null when that is not known. */
	started(): Promise<string | null>;
	/** What goes when it comes, as a path in the server's folder. */
	old(what: BuildChange): string;
	/** How the server will be started with what is laid out there; null when that is not known. */
	command(place: Workplace, what: BuildChange): Promise<string[] | null>;
	/** What the new server starts with is named in the owner's own scripts. */
	rewriteScripts(place: Workplace, what: ChangeInput): Promise<void>;
	/** Removes what new software has made in the server's folder; `known` was there before the exchange, or the first start. */
	removeMade(known: string[]): Promise<void>;
}

export const createParts = (deps: Deps): SoftwareParts => ({
	describe: (what) => describe(what, deps),
	title: titleOf,
	place: (operation, prefix) => workplace(deps.serverDir, operation, prefix),
	steps: (what, prefix) => gather(deps, what, { prefix }),
	started: async () => startedBy((await deps.installation()).command?.argv ?? []),
	old: ({ started }) => oldOf(started),
	async command(place, what) {
		const argv = (await deps.installation()).command?.argv;
		const [usual = '', ...rest] = argv ?? [];
		const started = await startedAfter(place, what);
		if (!argv || !started) return null;
		const named = await deps.javas.named(usual);
		const java = named && named.major >= what.java ? named : await deps.javas.choose(what.java);
		return [java?.path ?? usual, ...rest.map((word) => word.replace(what.started, () => started))];
	},
	rewriteScripts: (place, what) => rewriteScripts(place, deps, what),
	removeMade: (known) => removeMade(deps, { known })
});

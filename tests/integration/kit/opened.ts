import { afterAll } from 'vitest';
import { clear, startDashboard, type Dashboard } from '../../harness.ts';
import { newHome, runProgram, type Program } from './program.ts';

/** Ends what a file's tests have started, last first, when they are over. */
export const opened: (() => Promise<unknown>)[] = [];
afterAll(async () => {
	for (const close of opened.splice(0).reverse()) await close();
});

/** The built dashboard, in folders of its own. */
export async function dashboardWith(env: Record<string, string> = {}) {
	const dashboard = await startDashboard({ env });
	opened.push(() => dashboard.dispose());
	return dashboard;
}

/** The same dashboard started again; only its address differs. */
export async function again(dashboard: Dashboard, env: Record<string, string> = {}) {
	const next = await dashboard.again(env);
	opened.push(() => next.kill('SIGKILL'));
	return next;
}

/** An empty folder. What is started with it as its home ends with it. */
export async function home() {
	const dir = await newHome();
	opened.push(() => clear(dir));
	return dir;
}

/** As `runProgram` does. */
export function program(...given: Parameters<typeof runProgram>): Program {
	const started = runProgram(...given);
	opened.push(async () => {
		started.kill('SIGKILL');
		await started.ended;
	});
	return started;
}

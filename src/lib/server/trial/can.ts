import { AppError } from '#core/errors';
import { run as execute, type Run } from '#core/exec';
import { SANDBOX_BASE } from './sandbox.ts';
import { shortage } from './shortage.ts';

/** What this machine offers for trial boots. */
export type Can = {
	/** Why nothing can be booted in a sandbox here, in a sentence that says what to do; null when it can. */
	problem: string | null;
	/** Programs that lower the priority of what they start, with their arguments; missing ones are left out. */
	gently: string[];
};

const TRY_MS = 10_000;
const GENTLE = [
	['nice', '-n', '19'],
	['ionice', '-t', '-c', '3'],
	['choom', '-n', '1000', '--']
];

/** Tries the sandbox once, exactly as a boot would use it. `AppError('conflict')` when that is not possible at the moment. */
export async function findOut(run: Run = execute): Promise<Can> {
	const works = (argv: string[]) =>
		run(argv[0]!, argv.slice(1), { timeoutMs: TRY_MS }).then(
			() => true,
			(error) => {
				refuseShort(error);
				return false;
			}
		);
	const gently: string[] = [];
	for (const prefix of GENTLE) if (await works([...prefix, 'true'])) gently.push(...prefix);
	const problem = await run('bwrap', [...SANDBOX_BASE, 'true'], { timeoutMs: TRY_MS }).then(
		() => null,
		whyNot
	);
	return { problem, gently };
}

function refuseShort(error: unknown) {
	const short = shortage(error instanceof AppError ? error.cause : error);
	if (short)
		throw new AppError('conflict', `Trial boots are not possible at the moment: ${short}.`);
}

function whyNot(error: unknown): string {
	refuseShort(error);
	const { message, cause } =
		error instanceof AppError ? error : { message: String(error), cause: null };
	if (message.includes('could not be started'))
		return 'The sandbox for trial boots is missing: install the package bubblewrap on this machine.';
	const words = String(cause ?? '');
	if (/namespace|uid map|Operation not permitted|Permission denied/i.test(words))
		return 'This machine does not let bubblewrap make a sandbox: allow user namespaces (in a container, in its seccomp profile; on Ubuntu, in AppArmor).';
	return 'The sandbox for trial boots (bubblewrap) does not work on this machine.';
}

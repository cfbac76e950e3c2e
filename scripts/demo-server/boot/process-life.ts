import type { GameLog } from '../log.ts';

/** How a signal reaches the server in each phase. */
export interface ProcessLife {
	/** Before this the Java machine ends at once; from now on the signal asks for a shutdown. */
	onSignal(handler: (exitCode: number) => void): void;
	/** Ends the process; nothing runs after it. */
	exit(code: number): never;
}

const SIGNALS = { SIGTERM: 143, SIGINT: 130, SIGHUP: 129 } as const;

/** With `deaf` every signal but SIGKILL is ignored until there is a handler. */
export function createProcessLife(log: GameLog, deaf: boolean): ProcessLife {
	let handler: ((exitCode: number) => void) | null = null;
	const exit = (code: number): never => {
		log.close();
		process.exit(code);
	};
	for (const [signal, code] of Object.entries(SIGNALS))
		process.on(signal, () => {
			if (handler) handler(code);
			else if (!deaf) exit(code);
		});
	return { onSignal: (given) => void (handler = given), exit };
}

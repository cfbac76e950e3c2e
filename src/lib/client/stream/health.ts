import type { BrowserEnv } from '../browser-env.ts';

/** Whether the dashboard answers at all. */
export const answers = (env: BrowserEnv, limitMs: number): Promise<boolean> =>
	env.fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(limitMs) }).then(
		(response) => (void response.body?.cancel(), response.ok),
		() => false
	);

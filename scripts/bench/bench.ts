import type { Dashboard } from '../../tests/harness.ts';
import type { BareApp } from './bare-app.ts';

export type Bench = {
	/** A SvelteKit application that does nothing. */
	bare: BareApp;
	/** A running dashboard in demo mode that all parts share. */
	dashboard: Dashboard;
	/** One of its own, for parts that need a fresh one or change its folders. Ends with the bench. */
	start(env?: Record<string, string>): Promise<Dashboard>;
};

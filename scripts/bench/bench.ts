import type { Dashboard } from '../../tests/harness.ts';
import type { BareApp } from './bare-app.ts';
import type { Served } from './measure.ts';

export type Bench = {
	/** A SvelteKit application that does nothing. */
	bare: Served;
	/** A process of its own of the same. */
	serveBare: BareApp['serve'];
	/** A running dashboard in demo mode that all parts share. */
	dashboard: Dashboard;
	/** One of its own, for parts that need a fresh one or change its folders. Ends with the bench. */
	start(env?: Record<string, string>): Promise<Dashboard>;
};

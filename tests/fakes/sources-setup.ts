import { onTestFinished } from 'vitest';
import type { Clock } from '#core/clock';
import { createSources, type SourcesDeps } from '#sources';
import { startSources, type SourcesOptions } from '../../scripts/demo-sources/sources.ts';
import { createManualClock } from './manual-clock.ts';

/** The fake services and our client for them; the clock stands still unless it is driven. */
export async function setupSources(options: SourcesOptions = {}, deps: Partial<SourcesDeps> = {}) {
	const fake = await startSources(options);
	onTestFinished(() => fake.close());
	const clock = createManualClock();
	const warnings: string[] = [];
	const note = (message: string) => void warnings.push(message);
	const client = (more: Partial<SourcesDeps> = {}) => {
		const sources = createSources({
			address: (setting) => new URL(fake.addresses[setting]),
			userAgent: 'craftwarden/craftwarden/0.0.0-test',
			machine: { arch: 'x64', musl: false },
			clock: clock as Clock,
			log: { info: note, warn: note },
			...deps,
			...more
		});
		onTestFinished(() => sources.close());
		return sources;
	};
	return { fake, clock, client, sources: client(), warnings };
}

import { defineConfig } from 'vitest/config';

/** The long kill and disk-full loops, whole: `npm run test:faults`. */
export default defineConfig({
	test: {
		include: [
			'tests/faults/**/*.test.ts',
			'src/lib/server/services/power/kill-nine.test.ts',
			'tests/integration/power.test.ts',
			'tests/integration/mods-change.test.ts',
			'tests/integration/engines.test.ts',
			'tests/integration/container-image.test.ts'
		],
		environment: 'node',
		testTimeout: 60 * 60_000,
		hookTimeout: 60_000
	}
});

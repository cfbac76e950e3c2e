import { expect, test } from 'vitest';
import type { Attention } from '$lib/schemas/overview/attention';
import { partFaults } from './faults';

const hanging: Attention = {
	...{ code: 'hanging', title: 'The server has not answered', detail: 'For long.', since: null },
	...{ advice: 'Restart the server.', action: null, further: [] }
};

test('what was advised before something was begun is not said beside it', () => {
	expect(partFaults([hanging], 'unknown').faults).toEqual([hanging]);
	expect(partFaults([hanging], 'unknown', true).faults).toEqual([{ ...hanging, advice: null }]);
});

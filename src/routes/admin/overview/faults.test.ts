import { expect, test } from 'vitest';
import type { Attention } from '$lib/schemas/overview/attention';
import { partFaults, variantOf } from './faults';

const hanging: Attention = {
	...{ code: 'hanging', title: 'The server has not answered', detail: 'For long.', since: null },
	...{ advice: 'Restart the server.', action: null, further: [] }
};

test('what is not urgent has no sign of a warning', () => {
	expect(variantOf({ code: 'backup-old' }).tone).toBe('changing');
	expect(variantOf({ code: 'backup-old', canWait: true }).tone).toBe('off');
	expect(variantOf({ code: 'updates' }).tone).toBe('off');
});

test('what was advised before something was begun is not said beside it', () => {
	expect(partFaults([hanging], 'unknown').faults).toEqual([hanging]);
	expect(partFaults([hanging], 'unknown', true).faults).toEqual([{ ...hanging, advice: null }]);
});

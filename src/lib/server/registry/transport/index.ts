export { ENCODINGS, nonsense, readBody } from './body.ts';
export { explain, isOutage, StatusFailure } from './failures.ts';
export { follow } from './follow.ts';
export { IDLE_MS, watch } from './limits.ts';
export { apiRule, fileRule } from './origins.ts';
export { createPace } from './rate-limit.ts';
export { retried } from './retry.ts';

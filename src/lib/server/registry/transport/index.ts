export { apiRule, fileRule } from './origins.ts';
export { createPace } from './rate-limit.ts';

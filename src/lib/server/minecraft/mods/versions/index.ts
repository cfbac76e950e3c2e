export { satisfies } from './version-range.ts';

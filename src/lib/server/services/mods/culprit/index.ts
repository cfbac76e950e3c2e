export { createPreflight } from './preflight.ts';

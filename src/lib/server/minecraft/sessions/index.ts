export { createSessionIndex } from './session-index.ts';

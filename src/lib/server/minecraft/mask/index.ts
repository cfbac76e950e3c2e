export { MASKED, createLogMask, type LogMask } from './mask.ts';

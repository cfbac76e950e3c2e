export { createHandover, type Handover } from './handover.ts';

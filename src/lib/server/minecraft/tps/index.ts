export { createTickRates, type TickRates } from './tps.ts';

export type { Block } from './blocks.ts';
export { createLogFiles, rotatedFirst, unreadable, type LogFiles, type Listing } from './files.ts';
export { entriesIn, secondEntry } from './forwards.ts';
export { INFLATED_MAX_BYTES, type InflateTrouble } from './inflate.ts';
export { createTimeBudget, type TimeBudget } from './time-budget.ts';
export { identityOf, type LogSource } from './source.ts';

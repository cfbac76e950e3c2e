export { createCulpritAuto } from './auto.ts';
export { createCulprits, type CulpritOffer, type Culprits } from './operation.ts';
export { filesAfter, newOnGame, type Rules } from './metadata.ts';
export { createPreflight, overridden } from './preflight.ts';
export { findCulprits, mostBoots, type Group } from './search.ts';

export { createCulpritAuto } from './auto.ts';
export { createCulprits, type CulpritOffer, type Culprits } from './operation.ts';
export { createPreflight } from './preflight.ts';
export { findCulprits, mostBoots, type Group } from './search.ts';

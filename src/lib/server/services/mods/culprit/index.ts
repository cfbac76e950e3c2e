export { createCulpritAuto } from './auto.ts';
export { createCulprits, type Culprits } from './operation.ts';
export { createPreflight } from './preflight.ts';

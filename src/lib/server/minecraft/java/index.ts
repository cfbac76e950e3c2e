export { createJavas, type Javas } from './javas.ts';
export { majorOf, type Java } from './find.ts';

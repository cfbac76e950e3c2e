export { createJavas, type Javas } from './javas.ts';
export { javaOf } from './java-of-game.ts';
export { majorOf, type Java } from './find.ts';

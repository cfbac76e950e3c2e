export type { CardFacts } from './card.ts';
export { createPainter, type Painter } from './draw.ts';

export { createModsSwap, type ModsSwap } from './swap.ts';

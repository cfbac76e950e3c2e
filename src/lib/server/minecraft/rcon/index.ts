export { createRcon, type Rcon } from './rcon.ts';

export { ping, type Pong } from './ping.ts';

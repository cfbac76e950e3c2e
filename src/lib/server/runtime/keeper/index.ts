export { createKeeperRuntime } from './keeper.ts';

export { createStateFile, type StateFile } from './state-file.ts';

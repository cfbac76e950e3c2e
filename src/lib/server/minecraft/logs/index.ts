export { createLogReader, type MaskedText, type LogReader } from './reader.ts';

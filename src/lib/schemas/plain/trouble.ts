import type { LogLevel } from '../log.ts';

/** A line of the log that tells of something that went wrong. */
export const isTrouble = (level: LogLevel) => level === 'ERROR' || level === 'FATAL';

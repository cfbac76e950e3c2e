export { fileDateOf, datesOf } from './dates.ts';
export { createEntryReader, CONTINUATION_MAX } from './entries.ts';
export { prefixLine, EVERY_LINE, PREFIXED, type Heads } from './heads.ts';
export { parseLogLine, LOG_PREFIX } from './line.ts';
export { parsePrefix, type Stamp, type ParsedLine } from './prefix.ts';

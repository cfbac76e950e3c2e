export { safeText, spansOf } from './spans.ts';
export { stripCodes, plainText } from './text.ts';

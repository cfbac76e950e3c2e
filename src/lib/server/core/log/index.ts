export { createFailures, type Failures } from './failures.ts';
export { errorId, createLogger, createMask, type Logger, type Mask } from './log.ts';
export { createRepeats, type Again, type Repeats } from './repeats.ts';
export { rotatedNames, appendRotated } from './rotating-file.ts';
export { escapeControls } from './values.ts';
export { createOutage, type Outage } from './outage.ts';

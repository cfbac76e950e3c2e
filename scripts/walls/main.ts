import { faults } from './faults.ts';

/** Prints one line for each import that breaks a wall: `FILE imports FILE: why not`. Ends with 1 when there is one. */
const lines = faults(process.cwd());
for (const line of lines) console.log(line);
process.exitCode = lines.length ? 1 : 0;

import type { Run } from '#runtime';

/** What it is called for people: `process 4242`. */
export const named = ({ id, pid }: Run) => (pid === null ? `run ${id}` : `process ${pid}`);

import type { Run } from '#runtime';

/** What people may call it: `process 4242`. */
export const named = ({ id, pid }: Run) => (pid === null ? `run ${id}` : `process ${pid}`);

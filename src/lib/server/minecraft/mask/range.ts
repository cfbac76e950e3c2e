/** From `start` to before `end`, in UTF-16 units. */
export type Range = [start: number, end: number];

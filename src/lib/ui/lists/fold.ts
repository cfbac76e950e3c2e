const SPARED = 3;

/** How many of a long list stand before its fold: a rest of two or three is not worth a press. */
export const beforeFold = (count: number, shown = 10) => (count > shown + SPARED ? shown : count);

/** Of the 20 ticks a second that a server is to make: below this, players notice it. */
const SLOW_TPS = 18;

export const isSlow = (tps: number | null) => tps !== null && tps < SLOW_TPS;

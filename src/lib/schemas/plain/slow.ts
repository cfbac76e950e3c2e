/**
 * Of the 20 ticks a second that a server is to make: below this players may notice it, and every page says so. When somebody
 * is told of it in a message is a setting.
 */
export const SLOW_TPS = 18;

export const isSlow = (tps: number | null) => tps !== null && tps < SLOW_TPS;

/** The longest countdown that is announced in the game, in seconds. */
export const DELAY_MAX_S = 3600;

/** The reader's time zone, as their browser calls it: `Europe/Berlin`. Set by the browser, read by the server. */
export const TIME_ZONE_COOKIE = 'craftwarden_time_zone';

/** What comes because others need it: "5 mods and 1 dependency"; in older operations "5 mods and 1 they need". */
export const NEEDED = / and (?=(\d+) (?:dependency|dependencies|they need|it needs)$)/;

/** A failure is about what was asked for: what else it needs is on its page. */
export const withoutNeeded = (subject: string) => subject.split(NEEDED)[0]!;

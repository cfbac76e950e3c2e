/** The query parameters of these pages. */
export const TABS = ['online', 'ops', 'whitelist', 'bans', 'everyone'] as const;
export type Tab = (typeof TABS)[number];

/** Actions that need a confirmation. */
export const ASKED = ['op', 'deop', 'ban', 'pardon', 'kick'] as const;
export type Asked = (typeof ASKED)[number];

/** The query parameters of these pages. */
export const TABS = ['online', 'ops', 'whitelist', 'bans', 'everyone'] as const;
export type Tab = (typeof TABS)[number];

/** How the lists are sorted; the first unless the address says otherwise. */
export const PLAYER_ORDERS = ['seen', 'name', 'longest'] as const;
export type PlayerOrder = (typeof PLAYER_ORDERS)[number];

/** Actions that need a confirmation. */
export const ASKED = ['op', 'deop', 'ban', 'pardon', 'kick'] as const;
export type Asked = (typeof ASKED)[number];

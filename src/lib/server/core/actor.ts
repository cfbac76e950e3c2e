/** Who does something: a signed-in person, or `dashboard` and `schedule` acting by themselves. */
export type Actor = {
	name: string;
	role: 'admin' | 'superadmin' | null;
	/** Where the request came from; null when it is the program itself. */
	address: string | null;
};

export const DASHBOARD: Actor = { name: 'dashboard', role: null, address: null };
export const SCHEDULE: Actor = { name: 'schedule', role: null, address: null };

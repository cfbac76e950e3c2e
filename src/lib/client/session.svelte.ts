import { createContext } from 'svelte';
import type { Role } from '$lib/schemas/common';
import type { User } from '$lib/schemas/session';

/** Who is signed in, for what pages show and hide. What is allowed is decided on the server. */
export class Session {
	readonly #user: () => User | null | undefined;

	/** Reads the page's data each time it is asked: `setSession(new Session(() => data.user))`. */
	constructor(user: () => User | null | undefined) {
		this.#user = user;
	}

	get user(): User | null {
		return this.#user() ?? null;
	}

	get role(): Role | null {
		return this.user?.role ?? null;
	}

	get isSuperadmin(): boolean {
		return this.role === 'superadmin';
	}

	get authed(): boolean {
		return this.user !== null;
	}
}

export const [getSession, setSession] = createContext<Session>();

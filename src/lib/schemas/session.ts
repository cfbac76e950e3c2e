import { z } from 'zod';
import { Role } from './common.ts';

export const PASSWORD_MAX = 1024;
export const USERNAME_MAX = 128;

export const Credentials = z.object({
	username: z
		.string()
		.trim()
		.min(1, 'Type your user name')
		.max(USERNAME_MAX, 'That name is too long'),
	password: z
		.string()
		.min(1, 'Type your password')
		.max(PASSWORD_MAX, `At most ${PASSWORD_MAX} characters`)
});
export type Credentials = z.infer<typeof Credentials>;

/** The signed-in account, as pages and components see it. */
export const User = z.object({ name: z.string(), role: Role });
export type User = z.infer<typeof User>;

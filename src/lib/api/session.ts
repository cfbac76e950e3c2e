import { z } from 'zod';
import { json, page, action } from './define.ts';

/** Problems with the name and password are reported where they are checked, after the limits. */
const SignIn = z.object({
	username: z.string().default(''),
	password: z.string().default(''),
	callbackUrl: z.string().default('')
});

export const session = {
	'page /login': page({
		role: 'public',
		actions: { default: action({ role: 'public', body: SignIn }) }
	}),
	'POST /logout': json({
		role: 'public',
		summary: 'End this session, with the field `everywhere=1` all of the account',
		answers: { 303: null }
	})
};

import { z } from 'zod';

const URL_MAX = 1000;

/** The address of a service. Whether it is private is checked when it is used, after resolving it. */
export const serviceAddress = z
	.string()
	.trim()
	.max(URL_MAX, `At most ${URL_MAX} characters`)
	.superRefine((text, context) => {
		const url = URL.parse(text);
		const wrong = (message: string) => context.addIssue({ code: 'custom', message });
		if (!url || !/^https?:$/.test(url.protocol))
			return wrong('Give an address that begins with https://');
		if (url.username || url.password)
			wrong('Give an address without a user name and password in it');
		if (url.hash) wrong('Give an address without #');
	});

export const hostOf = (text: string) => URL.parse(text)?.host ?? 'unknown';

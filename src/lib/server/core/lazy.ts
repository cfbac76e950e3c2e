/** A part of the program that is built when somebody first needs it: most of it is not needed to answer. */
export type Lazy<T> = {
	(): Promise<T>;
	/** Null when nobody has asked for it yet. */
	built(): Promise<T> | null;
};

/** One building, however many ask meanwhile; one that fails is tried again by who asks next. */
export function lazy<T>(build: () => Promise<T>): Lazy<T> {
	let part: Promise<T> | null = null;
	const get = () => {
		if (part) return part;
		const mine = build();
		part = mine;
		mine.catch(() => part === mine && (part = null)); // told to whoever asked for it
		return mine;
	};
	return Object.assign(get, { built: () => part });
}

/** Those methods of a service that answer with a promise: whoever calls them cannot tell when it was built. */
export type Methods<T> = {
	[K in keyof T as T[K] extends (...input: never[]) => Promise<unknown> ? K : never]: T[K];
};

type AnyMethod = (...input: unknown[]) => Promise<unknown>;

/** A service before it is built: the first call of a method builds it, unless it is one of those in `own`. */
export const lazyMethods = <T extends object, Own extends object = object>(
	part: () => Promise<T>,
	own: Own = {} as Own
): Methods<T> & Own =>
	new Proxy(own as Methods<T> & Own, {
		get: (_, name) =>
			// A service is no promise, though it answers to every name.
			name === 'then' || name in own
				? own[name as keyof Own]
				: async (...input: unknown[]) =>
						((await part()) as Record<PropertyKey, AnyMethod>)[name]!(...input)
	});
